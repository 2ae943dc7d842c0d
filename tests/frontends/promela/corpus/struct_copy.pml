typedef Pair { byte a; byte b };
Pair p, q;
active proctype P() { p.a = 1; q.b = p.a + 1; p.b = q.b }
active proctype Q() { byte i; i = 1; Pair r; r.a = i; p.a = r.a + 4 }
