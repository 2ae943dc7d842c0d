byte x, y;
active [2] proctype P() {
  byte i;
  d_step { x < 3 -> x++; i = 0; do :: i < 3 -> i++; y = y + i :: else -> break od; if :: y > 6 -> y = 0 :: else fi };
  x = x + 2
}
