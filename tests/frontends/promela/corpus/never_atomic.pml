byte x;
active proctype A() { do :: x = (x + 1) % 3 od }
never { T0: if :: atomic { x == 2 -> assert(x != 0) } ; goto T0 :: (1) -> goto T0 fi }
