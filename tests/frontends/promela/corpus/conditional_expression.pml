byte x; byte y;
active [2] proctype P() {
  y = (x > 1 -> x : 5);
  x = (y == 5 && x < 2 -> x + 1 : 0)
}
