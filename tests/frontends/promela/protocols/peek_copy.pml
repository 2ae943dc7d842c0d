typedef Msg { byte kind; short load };
chan q = [2] of { Msg };
Msg seen;
active proctype Put() { Msg m; m.kind = 1; m.load = -3; q!m; m.kind = 2; m.load = 300; q!m }
active proctype Look() { byte k; q?<k, _>; k = k + 1; q?seen; assert(seen.load < 0) }
active proctype Take() { Msg t; q?t; assert(t.kind == 2 || t.kind == 1) }
