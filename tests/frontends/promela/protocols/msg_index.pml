/* the index comes in messages of ints, and in structures */
#define N 3
typedef Msg { int dst; int src; byte ttl };
chan in[N] = [2] of { Msg };
active [N] proctype Node() {
  Msg m; byte n;
  m.dst = (_pid + 1) % N; m.src = _pid; m.ttl = 2;
  in[m.dst]!m;
  do
  :: in[_pid]?m -> if :: m.ttl > 0 -> m.ttl--; in[(m.dst + m.src) % N]!m :: else -> n++ fi
  :: timeout -> break
  od
}
