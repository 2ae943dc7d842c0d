byte n;
active [2] proctype P() {
  byte mine;
a: mine = _pid + 1;
b: n++;
c: skip
}
active proctype Watch() {
  (P[0]@b || P[1]@c);
  assert(P[0]:mine == 1 || n > 0 || P[0]:mine == 0 );
  n = n + P[1]:mine
}
