byte x;
active [2] proctype A() { do :: x < 1 -> x = 1 :: x > 0 -> x = 0 od }
never { do :: _last == 0 -> skip :: _last == 1 && x == 1 -> break :: x == 0 od; accept: do :: _last == 1 od }
