typedef In { byte a; byte b[2] };
chan z = [1] of { mtype, In };
mtype = { red };
active proctype p() { In s; s.b[1] = 3; s.a = 1; s.b[0] = 2; z!red(s) }
active proctype q() { In t; mtype m; z?m(t); assert(t.b[1] == 3 && t.a == 1) }
