byte x;
active [2] proctype P() {
  if
  :: x = 1
  :: x = 2 -> skip
  :: x > 0 -> x = 0; x = 3
  fi
}
