/* Division and remainder round towards zero, shifts and bits are those of C. */
int a = -7; short r; int q;
active proctype P() {
  do
  :: a < 8 -> q = a / 3; r = a % 3; q = q + (a << 2) - (a >> 1); r = (a & 5) | (a ^ 3); q = ~a; a++
  :: else -> break
  od;
  assert(-7 / 2 == -3 && -7 % 2 == -1)
}
