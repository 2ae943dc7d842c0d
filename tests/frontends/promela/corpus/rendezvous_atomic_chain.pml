chan q = [0] of { byte };
chan r = [0] of { byte };
byte x;
active proctype A() { byte v; atomic { q!1; x = 1; r?v; x = v } }
active proctype B() { byte v; atomic { q?v; x++; r!v + 1; x = x + 5 }; x = 0 }
active proctype C() { x = 9; x = 8 }
