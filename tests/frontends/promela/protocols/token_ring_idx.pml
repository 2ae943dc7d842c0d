/* stations pass a token by an index that is counted */
#define N 4
chan q[N] = [1] of { bit };
byte work[N];
active [N] proctype Station() {
  byte next = (_pid + 1) % N;
  bit t;
  byte rounds = 0;
  if :: _pid == 0 -> q[0]!1 :: else fi;
  do
  :: rounds < 2 -> q[_pid]?t; work[_pid]++; q[next]!t; rounds++
  :: rounds == 2 -> break
  od
}
