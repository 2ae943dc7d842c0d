byte x;
active proctype P() { x = 1; here: x = 2; x = 3 }
active proctype Q() { P@here -> x = 7; x = 8 }
active [2] proctype R() { crit: skip; x = 0 }
active proctype W() { R[3]@crit && x == 8 -> x = 9 }
