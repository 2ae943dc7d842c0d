byte x;
active [3] proctype P() {
  byte t;
  atomic { t = x; x = t + 1 };
  x = x + t
}
