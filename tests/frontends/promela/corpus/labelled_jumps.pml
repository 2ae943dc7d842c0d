byte x;
active proctype P() {
again:
  do
  :: x < 2 -> x++; if :: x == 1 -> progress: goto again :: x == 2 -> here: goto again :: x == 2 -> there: goto again fi
  :: x == 2 -> break
  od
}
active proctype Q() { P@here -> x = 0 }
