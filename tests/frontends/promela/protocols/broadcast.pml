/* everyone tells everyone its number, and takes the greatest */
#define N 2
chan in[N] = [N] of { byte };
active [N] proctype Node() {
  byte k, got, max;
  max = _pid;
  for (k : 0 .. N - 1) { if :: k != _pid -> in[k]!_pid :: else fi };
  k = 0;
  do
  :: k < N - 1 -> in[_pid]?got; if :: got > max -> max = got :: else fi; k++
  :: else -> break
  od;
  assert(max == N - 1)
}
