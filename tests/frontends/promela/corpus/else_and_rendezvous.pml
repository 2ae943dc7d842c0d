chan q = [0] of { byte };
byte x;
active proctype P() { do :: q!1 :: else -> x = (x + 1) % 3 od }
active proctype R() { byte v; do :: q?v -> x = 0 :: x == 2 -> break od }
