#define N 3
byte level[N], last[N];
byte in_cs;
active [N] proctype P() {
  byte l, k;
again:
  l = 1;
  do
  :: l < N ->
     level[_pid] = l;
     last[l] = _pid;
     k = 0;
     do
     :: k < N ->
        if
        :: k != _pid -> level[k] < l || last[l] != _pid
        :: else
        fi;
        k++
     :: else -> break
     od;
     l++
  :: else -> break
  od;
  in_cs++;
  assert(in_cs == 1);
  in_cs--;
  level[_pid] = 0;
  goto again
}
