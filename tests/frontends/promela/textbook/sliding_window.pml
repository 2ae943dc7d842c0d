#define W 2
#define M 4
chan data = [2] of { byte };
chan acks = [2] of { byte };
byte handed;
active proctype Source() {
  byte base, next, a;
  do
  :: (next - base + M) % M < W -> data!next; next = (next + 1) % M
  :: acks?a ->
     do
     :: base != a -> base = (base + 1) % M
     :: base == a -> break
     od
  :: timeout -> next = base
  od
}
active proctype Sink() {
  byte wanted, n;
  do
  :: data?n ->
     if
     :: n == wanted -> wanted = (wanted + 1) % M; handed = (handed + 1) % M
     :: else -> skip
     fi;
     if
     :: nfull(acks) -> acks!wanted
     :: skip /* the answer is lost */
     fi
  od
}
