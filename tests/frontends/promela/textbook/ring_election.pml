/* Chang and Roberts: the greatest identity wins. */
#define N 3
mtype = { token, elected };
chan ring[N] = [N] of { mtype, byte };
byte leaders;
proctype Station(byte at; byte id) {
  mtype kind;
  byte other;
  ring[(at + 1) % N]!token(id);
  do
  :: ring[at]?kind,other ->
     if
     :: kind == token && other > id -> ring[(at + 1) % N]!token(other)
     :: kind == token && other == id -> leaders++; assert(leaders == 1); ring[(at + 1) % N]!elected(id)
     :: kind == token && other < id -> skip
     :: kind == elected && other == id -> break
     :: kind == elected && other != id -> ring[(at + 1) % N]!elected(other); break
     fi
  od
}
init {
  byte k;
  atomic {
    k = 0;
    do
    :: k < N -> run Station(k, (k * 2 + 1) % 5); k++
    :: k == N -> break
    od
  }
}
