chan q = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; q!4; x = 2 } }
active [2] proctype R() { byte v; if :: q?v -> x = v :: q?4 -> x = 5 :: atomic { q?v -> x = 6; x = 7 } fi }
