byte x, y;
active proctype P() { atomic { x = 1; x = 2; y == 1; x = 3 } unless { y == 2 -> atomic { x = 7; x = 8 } } }
active proctype Q() { y = 2; y = 1 }
