chan q = [0] of { byte };
byte x;
active proctype P() { q!1; x = 1 }
active proctype Q() { byte v; x == 2; q?v }
active proctype R() { x = 2; timeout -> x = 4 }
