chan a = [1] of { byte };
chan b = [0] of { byte };
byte last;
proctype Give(chan out; byte v) { out!v; out!v + 1 }
proctype Take(chan in) { byte v; in?v; last = v; in?v }
init { atomic { run Give(a, 1); run Take(a); run Give(b, 5); run Take(b) } }
