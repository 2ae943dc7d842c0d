/* an election on a ring with arrays instead of parameters */
#define N 4
byte id[N] = { 2, 4, 1, 3 };
chan q[N] = [N] of { byte };
byte leaders;
active [N] proctype P() {
  byte x; byte me = _pid; byte right = (me + 1) % N;
  q[right]!id[me];
end: do
  :: q[me]?x ->
     if
     :: x > id[me] -> q[right]!x
     :: x == id[me] -> leaders++; assert(leaders == 1)
     :: else
     fi
  od
}
