byte x;
active [2] proctype P() {
  do
  :: else -> break
  :: x < 3 -> x++
  :: x == 1 -> x = 3
  od
}
