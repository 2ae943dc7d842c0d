#define R 2
#define C 2
chan grid[4] = [1] of { byte };
active [2] proctype Mover() {
  byte r = _pid, c = 0, x;
  do
  :: grid[r * C + c]!_pid; c = 1 - c; grid[r * C + (1 - c)]?x; if :: c == 0 -> r = 1 - r :: else fi
  od
}
