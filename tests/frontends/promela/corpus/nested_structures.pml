typedef In { byte v[2]; mtype k };
typedef Out { In i[2]; byte n };
mtype = { small, large };
Out o;
chan q = [2] of { byte, mtype };
active proctype P() { o.i[1].v[0] = 3; o.i[0].k = large; q!o.i[1].v[0],o.i[0].k; q!1,small }
active proctype Q() { do :: q?o.n,o.i[1].k od }
