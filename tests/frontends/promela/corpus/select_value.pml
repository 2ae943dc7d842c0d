byte x, y;
active [2] proctype P() {
  byte i;
  select (i : 2 .. 5);
  x = i;
  y = y + x
}
