typedef msg { byte a; bool b };
chan q = [3] of { msg };
active proctype p() { msg m; byte s; m.a = 1; q!m; m.a = 2; q!m; for (m in q) { s = s + m.a } assert(s==3) }
