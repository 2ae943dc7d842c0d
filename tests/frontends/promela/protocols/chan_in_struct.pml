typedef Port { chan io = [1] of { byte }; byte used };
Port port[2];
active [2] proctype P() {
  byte x;
  port[_pid].io!_pid + 1; port[_pid].used++;
  port[1 - _pid].io?x; port[1 - _pid].used--;
  assert(x == 2 - _pid)
}
