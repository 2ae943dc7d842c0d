byte lock, in;
active [3] proctype P() {
  do
  :: atomic { lock == 0 -> lock = 1 };
     in++; assert(in == 1); in--;
     lock = 0
  od
}
