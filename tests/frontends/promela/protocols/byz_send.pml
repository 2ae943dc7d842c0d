#define N 2
chan inbox[N] = [3] of { byte, bit };
bit decided[N]; byte nr;
active [N] proctype General() {
  byte k, from; bit v, one; byte ones;
  if :: _pid == 0 -> if :: one = 0 :: one = 1 fi :: else -> one = 1 fi;
  k = 0;
  do :: k < N -> if :: k != _pid -> inbox[k]!_pid, one :: else fi; k++ :: k == N -> break od;
  k = 0;
  do :: k < N - 1 -> inbox[_pid]?from, v; ones = ones + v; k++ :: else -> break od;
  decided[_pid] = (ones + one > N / 2);
  nr++
}
ltl eventually { <> (nr == N) }
