/* rendezvous over an index */
#define N 3
chan r[N] = [0] of { byte };
active proctype Hub() {
  byte k, x;
  for (k : 0 .. N - 1) { r[k]!k };
  for (k : 0 .. N - 1) { r[k]?x; assert(x == 2 * k) }
}
active [N] proctype Leaf() {
  byte y; byte me = _pid - 1;
  r[me]?y; y = y * 2; r[me]!y
}
