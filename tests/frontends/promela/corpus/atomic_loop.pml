byte a[4];
active proctype P() {
  byte i;
  atomic {
    do
    :: i < 4 -> if :: a[i] = 1 :: a[i] = 2 fi; i++
    :: i >= 4 -> break
    od
  };
  a[0] = 0
}
active proctype Q() { a[3] == 1 -> a[3] = 5 }
