#define N 3
mtype = { job, fin };
chan q[N] = [1] of { mtype, short };
chan r = [N] of { mtype, short };
short seq;
active proctype Boss() {
  short got; byte n;
  do
  :: n < 5 -> q[seq % N]!job, seq; seq++; n++
  :: r?fin, got
  :: n == 5 && timeout -> break
  od
}
active [N] proctype Work() { short s; end: do :: q[_pid - 1]?job, s -> r!fin, s * 2 od }
