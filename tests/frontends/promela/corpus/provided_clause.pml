byte turn, x;
active proctype A() provided (turn == 0) { x = 1; turn = 1; atomic { x = 2; turn = 1; x = 3 } }
active proctype B() provided (turn == 1) { x = 4; turn = 0; x = 5; turn = 0 }
active proctype C() { turn = 1; turn = 0 }
