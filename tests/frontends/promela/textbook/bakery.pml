#define N 2
byte ticket[N];
bool choosing[N];
byte critical;
active [N] proctype Customer() {
  byte k, max;
  do
  :: choosing[_pid] = true;
     max = 0; k = 0;
     do
     :: k < N -> if :: ticket[k] > max -> max = ticket[k] :: else fi; k++
     :: else -> break
     od;
     if
     :: max < 4 -> ticket[_pid] = max + 1
     :: else -> choosing[_pid] = false; break
     fi;
     choosing[_pid] = false;
     k = 0;
     do
     :: k == N -> break
     :: k < N && k == _pid -> k++
     :: k < N && k != _pid ->
        !choosing[k];
        (ticket[k] == 0 || ticket[k] > ticket[_pid] || (ticket[k] == ticket[_pid] && k > _pid));
        k++
     od;
     critical++;
     assert(critical == 1);
     critical--;
     ticket[_pid] = 0
  od
}
