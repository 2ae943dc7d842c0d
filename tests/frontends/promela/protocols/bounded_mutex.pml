/* Fischer without clocks: wrong, an assertion fails */
byte id, inside;
active [2] proctype P() {
  do
  :: id == 0 -> id = _pid + 1; if :: id == _pid + 1 -> inside++; assert(inside < 2); inside--; id = 0 :: else fi
  od
}
