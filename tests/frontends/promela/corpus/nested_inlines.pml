byte x, r;
inline add(a, b, res) { byte tmp = a; tmp = tmp + b; res = tmp }
inline twice(a) { add(a, a, a); add(a, 1, r) }
inline loop(n) { byte i; for (i : 1 .. n) { x++ } }
active proctype p() { x = 1; twice(x); loop(2); loop(1); add(x + 1, r, x) ; assert(x == 5 + 1 + 3) }
