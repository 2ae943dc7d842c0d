byte x, y;
active [2] proctype P() {
  do
  :: if
     :: x < 2 -> x++
     :: y < 2 -> if :: y++ :: y = 2 fi
     fi
  :: x == 2 && y == 2 -> break
  od
}
