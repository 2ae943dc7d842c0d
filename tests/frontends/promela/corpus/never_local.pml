byte x;
active proctype A() { do :: x = (x + 1) % 4 od }
never { byte n; do :: x == 3 -> n = (n+1) % 3 :: else od }
