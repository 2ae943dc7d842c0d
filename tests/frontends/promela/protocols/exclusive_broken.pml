chan q = [1] of { byte };
active proctype W() { xs q; q!1; q!2 }
active proctype V() { q!3 }
active proctype R() { byte x; q?x; q?x; q?x }
