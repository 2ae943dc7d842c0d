/* a dispatcher gives jobs to workers in turn, over an index */
#define W 2
chan job[W] = [1] of { byte };
chan done = [W] of { byte };
active proctype Dispatcher() {
  byte k, j;
  do
  :: j < 3 -> job[k]!j + 1; k = (k + 1) % W; j++
  :: else -> break
  od;
  k = 0;
  do :: k < W -> job[k]!0; k++ :: else -> break od
}
active [W] proctype Worker() {
  byte x; chan mine = job[_pid - 1];
  do
  :: mine?x -> if :: x == 0 -> break :: else -> done!x fi
  od
}
active proctype Collector() {
  byte y, n;
  do :: n < 3 -> done?y; n++ :: else -> break od
}
