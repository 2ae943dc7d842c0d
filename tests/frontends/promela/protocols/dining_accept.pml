#define N 3
chan fork[N] = [1] of { bit };
byte eating[N];
proctype Phil(byte k; chan l, r) {
  do
  :: l?_; r?_;
accept_eat: eating[k]++; eating[k]--;
     l!0; r!0
  od
}
init {
  byte k;
  atomic {
    for (k : 0 .. N - 1) { fork[k]!0 };
    run Phil(0, fork[0], fork[1]); run Phil(1, fork[1], fork[2]); run Phil(2, fork[0], fork[2])
  }
}
