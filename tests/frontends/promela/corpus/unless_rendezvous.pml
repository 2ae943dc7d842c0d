chan a = [0] of { byte };
chan b = [0] of { byte };
byte x;
active proctype P() { byte v; { do :: a?v -> x = v :: x > 1 -> x = 0 od } unless { b?v -> x = 9 } }
active proctype Q() { a!1; a!2; b!3; a!4 }
active proctype R() { { a!7; x = 3 } unless { x == 2 -> skip } }
