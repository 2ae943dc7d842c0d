/* SPIN makes an escape after what is inside of an if or do without braces, and before the if or do itself. */
byte x, y;
active proctype P() {
  {
    if :: x = 1; x = 2 :: y = 1; y = 2 fi unless { y == 1; do :: x < 3 -> x++ :: x >= 3 -> break od }
  } unless { x == 2; y = 0; x = 3 };
  x = 5
}
active proctype Q() { y = 1; x = 2; y = 0 }
