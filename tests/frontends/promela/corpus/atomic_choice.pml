byte x, y;
active [2] proctype P() {
  atomic {
    if :: x++ :: y++ :: x > 0 -> x-- fi;
    if :: x == y -> y = 0 :: x != y -> skip fi;
    if :: x = 3 :: skip fi
  }
}
