#define N 3
mtype = { hello, bye };
chan q[N] = [2] of { mtype, byte, byte };
active [N] proctype Node() {
  byte to, from; mtype m; bool said;
end: do
  :: !said && len(q[(_pid + 1) % N]) < 2 -> q[(_pid + 1) % N]!hello, (_pid + 2) % N, _pid; said = true
  :: q[_pid]?m, to, from ->
     if
     :: to == _pid -> said = false
     :: else -> q[to]!m, to, from
     fi
  od
}
