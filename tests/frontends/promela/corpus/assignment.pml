/* Values that do not fit are cut off, each type in its own way. */
bit b; bool o; byte y = 250; short s = 32766; int i = 2147483646; unsigned u : 3 = 6; pid p;
active proctype P() {
  do
  :: y++ ; s = s + 3; u = u + 5; b = y; o = s; p = y + 7; i = i + 1;
     if :: y == 3 -> break :: else fi
  od
}
