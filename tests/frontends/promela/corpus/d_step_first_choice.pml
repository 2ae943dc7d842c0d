byte x, y;
active [2] proctype P() {
  do
  :: d_step { if :: x == 0 -> x = 1 :: y == 0 -> y = 1 :: x == 1 && y == 1 -> x = 2 fi; y = y }
  :: x == 2 -> break
  od
}
