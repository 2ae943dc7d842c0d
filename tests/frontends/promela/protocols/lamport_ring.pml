/* a token that is passed by rendezvous, with a crash that is noticed by timeout */
#define N 3
chan ring[N] = [0] of { bit };
byte holder = 255; bool crashed;
active [N] proctype Node() {
  bit t; byte rounds;
  if :: _pid == 0 -> holder = 0; ring[1]!1 :: else fi;
  do
  :: rounds < 2 -> ring[_pid]?t; holder = _pid; rounds++;
     if :: ring[(_pid + 1) % N]!t :: rounds == 2 && !crashed -> crashed = true; break fi
  :: rounds == 2 -> break
  :: timeout -> break
  od
}
