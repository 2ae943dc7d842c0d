/* An atomic sequence that cannot go on is interrupted, and goes on later. */
byte x, y;
active proctype P() { atomic { x = 1; y == 1; x = 2; y == 2; x = 3 } }
active proctype Q() { atomic { y = 1; x == 2; y = 2 }; y = 3 }
active proctype R() { x = 5; x = 2 }
