bool p, q;
active proctype A() { do :: p = !p :: q = true; break od }
never {
T0: do :: p && !q -> goto accept_S :: true od;
accept_S: do :: !q od
}
