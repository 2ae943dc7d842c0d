chan a = [1] of { byte };
chan c[2];
byte x;
active proctype P() { c[0] = a; c[0]!3; c[1] = c[0]; c[1]?x }
active proctype Q() { x == 3; a!x; a?_ }
