typedef Link { byte to; byte seq };
Link link[2];
chan wire[2] = [1] of { byte };
active [2] proctype End() {
  byte x;
  link[_pid].to = 1 - _pid;
  do
  :: wire[link[_pid].to]!link[_pid].seq; link[_pid].seq = 1 - link[_pid].seq
  :: wire[_pid]?x
  od
}
