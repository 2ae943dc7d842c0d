byte x;
active [2] proctype P() {
again:
  x = x + 1;
  if
  :: x > 3 -> goto out
  :: x < 3 -> goto again
  :: x == 2 -> goto twice
  fi;
twice:
  x = x + 2;
  goto again;
out:
  x = 0
}
