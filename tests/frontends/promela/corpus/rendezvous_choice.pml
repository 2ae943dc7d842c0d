chan a = [0] of { byte };
chan b = [0] of { byte };
byte x;
active proctype P() { do :: a!1 -> x = 1 :: b?x :: x == 3 -> break od }
active proctype Q() { byte v; do :: a?v -> v = 0 :: b!3 od }
