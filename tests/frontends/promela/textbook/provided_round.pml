byte turn;
byte x;
active proctype A() provided (turn == 0) { do :: x < 3 -> x++ :: x > 0 -> x--; turn = 1 od }
active proctype B() provided (turn == 1) { do :: atomic { x++; x-- }; turn = 0 od }
