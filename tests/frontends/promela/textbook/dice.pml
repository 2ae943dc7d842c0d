/* Nondeterminism within atomic sequences. */
byte x, y;
active proctype Roll() {
  do
  :: atomic { select(x : 1 .. 6); if :: x > 3 -> y = 1 :: x > 2 -> y = 2 :: else -> y = 0 fi }
  :: atomic { y > 0 -> y-- ; if :: x++ :: x-- fi }
  od
}
