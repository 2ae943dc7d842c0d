/* tickets in two bits, so that they wrap around: wrong on purpose */
unsigned t0 : 2, t1 : 2; bool c0, c1; byte in;
active proctype A() {
  do
  :: c0 = 1; t0 = t1 + 1; c0 = 0;
     !c1; (t1 == 0 || t0 <= t1);
     in++; assert(in < 2); in--; t0 = 0
  od
}
active proctype B() {
  do
  :: c1 = 1; t1 = t0 + 1; c1 = 0;
     !c0; (t0 == 0 || t1 < t0);
     in++; assert(in < 2); in--; t1 = 0
  od
}
