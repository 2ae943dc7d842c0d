/* MSI with an atomic bus. */
#define N 3
mtype:line = { invalid, shared, modified };
mtype:line cache[N] = invalid;
active [N] proctype Core() {
  byte k;
  do
  :: d_step { cache[_pid] == invalid ->
       k = 0;
       do
       :: k < N -> if :: cache[k] == modified -> cache[k] = shared :: else fi; k++
       :: else -> break
       od;
       cache[_pid] = shared; k = 0 }
  :: atomic { cache[_pid] != modified ->
       for (k : 0 .. N - 1) { cache[k] = invalid }
       cache[_pid] = modified; k = 0 }
  :: cache[_pid] != invalid -> cache[_pid] = invalid
  od
}
ltl swmr { [] !(cache[0] == modified && cache[1] != invalid) }
