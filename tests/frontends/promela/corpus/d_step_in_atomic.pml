byte x;
active [2] proctype P() {
  atomic { x++; d_step { x = x + 2; x = x - 1 }; x++; d_step { skip; x = x % 5 } };
  x++
}
