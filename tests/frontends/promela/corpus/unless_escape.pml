byte x, y;
active proctype P() {
  { do :: x < 3 -> x++; y = 1; y = 0 od } unless { y == 2 -> x = 0; y = 3 };
  x = 9
}
active proctype Q() { y = 2 }
