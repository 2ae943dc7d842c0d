/* go back two */
#define W 2
#define M 4
#define inc(x) x = (x + 1) % M
chan data = [2] of { byte };
chan acks = [2] of { byte };
byte base, next;
active proctype Source() {
  byte a;
progress_out:
  do
  :: (next + M - base) % M < W -> data!next; inc(next)
  :: acks?a -> assert((a + M - base) % M < W); base = (a + 1) % M
  od
}
active proctype Sink() {
  byte want, x;
end: do
  :: data?x -> if :: x == want -> acks!x; inc(want) :: else fi
  od
}
