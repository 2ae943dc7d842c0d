/* the index is an int that is computed */
#define N 2
chan q[N] = [2] of { int };
active [N] proctype P() {
  int i, v, k;
  i = (_pid * 7 + 1) % N;
  k = 0;
  do
  :: k < 2 -> q[i]!k * 10; i = (i + 1) % N; k = k + 1
  :: else -> break
  od
}
active [N] proctype C() {
  int x, j = _pid - N;
  q[j]?x; q[j]?x; assert(x < 20)
}
