byte x, y;
active proctype P() {
  do
  :: { atomic { x < 4 -> x++; y == 0 }; x = 1 } unless { y == 3 }
  :: x == 2 -> { if :: y = 0 :: x = 3 fi } unless { x == 3; break }
  od
}
active proctype Q() { y = 3; y = 0 }
