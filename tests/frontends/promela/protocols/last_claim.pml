byte x;
active [2] proctype P() { do :: x = (x + 1) % 3 od }
never { do :: _last != 1 :: _last == 1 -> goto accept od; accept: do :: _last == 0 od }
