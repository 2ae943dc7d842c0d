/* a pipeline of processes over parameters computed in a loop */
#define N 4
chan c[N] = [1] of { byte };
proctype Stage(byte from) {
  byte x; chan in = c[from]; chan out = c[from + 1];
  byte n = 0;
  do :: n < 3 -> in?x; out!x + 1; n++ :: n == 3 -> break od
}
init {
  byte i, y;
  atomic { for (i : 0 .. N - 2) { run Stage(i) } };
  for (i : 1 .. 3) { c[0]!i };
  for (i : 1 .. 3) { c[N - 1]?y; assert(y == i + N - 1) }
}
