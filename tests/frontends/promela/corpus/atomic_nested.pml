byte x;
active [2] proctype P() {
  atomic { x++; atomic { x++; x > 2; x = x - 2 }; { x++; x = x + 1 } };
  x = 0
}
