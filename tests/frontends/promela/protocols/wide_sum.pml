#define N 8
chan q[N] = [1] of { byte };
byte hits;
active [2] proctype W() { byte a = _pid, b, n; do :: n < 3 -> a = a * 3 + 1; b = b * 5 + a; q[(a + b) % N]!a; n++ :: else -> break od }
active [2] proctype R() { byte i = _pid, x; do :: i < N -> if :: q[i]?x :: timeout fi; i = i + 2 :: else -> break od }
