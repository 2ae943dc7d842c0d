#define N 4
chan q[N] = [1] of { byte };
active [2] proctype W() { byte a = _pid + 1, b = 7, n; do :: n < 3 -> a = a * 3; b = b ^ a; q[(a * b) % N]!a; n++ :: else -> break od }
active [2] proctype R() { byte i = _pid - 2, x; do :: i < N -> if :: q[i]?x :: timeout fi; i = i + 2 :: else -> break od }
