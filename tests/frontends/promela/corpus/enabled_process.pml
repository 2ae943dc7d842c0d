byte x;
active proctype P() { x == 1; x = 2 }
active proctype Q() { x = 1; x = 3; x = 1 }
active proctype R() { enabled(0) -> x = 4; x = 1 }
