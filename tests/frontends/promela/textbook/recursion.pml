proctype Fact(int n; chan up) {
  int r;
  chan child = [1] of { int };
  if
  :: n <= 1 -> up!1
  :: n > 1 -> run Fact(n - 1, child); child?r; up!n * r
  fi
}
init {
  int r;
  chan child = [1] of { int };
  run Fact(4, child);
  child?r;
  assert(r == 24)
}
