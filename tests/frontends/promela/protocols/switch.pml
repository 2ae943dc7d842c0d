/* messages carry where they are to go: a switch in the middle */
#define N 3
chan up = [2] of { byte, byte };
chan down[N] = [1] of { byte };
active [N] proctype Host() {
  byte n = 0, got;
  do
  :: n < 1 -> up!(_pid + 1) % N, _pid; n++
  :: n == 1 -> break
  od;
  down[_pid]?got;
  assert((got + 1) % N == _pid)
}
active proctype Switch() {
  byte where, from;
end: do :: up?where,from -> down[where]!from od
}
