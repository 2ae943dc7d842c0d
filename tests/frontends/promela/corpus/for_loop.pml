byte sum; byte a[3];
active proctype P() {
  byte i;
  for (i : 1 .. 3) { sum = sum + i; a[i - 1] = sum }
  for (i in a) { a[i] = 0 }
}
active proctype Q() { sum = 7 }
