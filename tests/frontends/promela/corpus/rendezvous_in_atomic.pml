/* The receiver goes on if it is in an atomic sequence; the sender does not. */
chan q = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; q!1; x = 2; x = 3 }; q!2; x = 4 }
active proctype R() { byte v; atomic { q?v; x = x + 10; x++ }; q?v; x = 7 }
active proctype T() { x = 20; x = 30 }
