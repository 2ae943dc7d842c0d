proctype Sum(byte n; chan up) {
  chan down = [1] of { short };
  short rest;
  if
  :: n == 0 -> up!0
  :: else -> run Sum(n - 1, down); down?rest; up!rest + n
  fi
}
init { chan c = [1] of { short }; short s; run Sum(4, c); c?s; assert(s == 10) }
