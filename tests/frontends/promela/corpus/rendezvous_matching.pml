mtype = { red, green };
chan c = [0] of { mtype, byte };
byte x;
active proctype S() { do :: c!red,x :: c!green,2 :: x > 2 -> break od }
active proctype R() { do :: c?red,0 -> x = 1 :: c?eval(green),x :: c?red,eval(x) -> x++ od }
