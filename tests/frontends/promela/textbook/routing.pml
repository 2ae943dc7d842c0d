#define N 3
typedef Packet { byte to; byte hops }
chan node[N] = [2] of { Packet };
byte arrived;
proctype Router(byte me) {
  Packet p;
end: do
  :: node[me]?p ->
     if
     :: p.to == me -> arrived++
     :: else -> p.hops++; assert(p.hops < N); node[(me + 1) % N]!p
     fi
  od
}
init {
  Packet first;
  atomic { run Router(0); run Router(1); run Router(2) }
  first.to = 2;
  node[0]!first;
  first.to = 1;
  node[2]!first;
  arrived == 2
}
