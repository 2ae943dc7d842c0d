byte x, y;
inline swap(a, b) { byte t; t = a; a = b; b = t }
inline add(v, k) { atomic { v = v + k; v = v % 7 } }
active [2] proctype P() { add(x, 3); swap(x, y); add(y, x + 1) }
