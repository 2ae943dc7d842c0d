#define N 2
mtype = { request, reply, release };
chan q[N] = [4] of { mtype, byte, byte };
byte cs;
active [N] proctype Node() {
  byte clock, mine, from, ts, replies, other = 1 - _pid;
  byte theirs;
  bool asked;
  do
  :: !asked && clock < 3 ->
     clock++; mine = clock; asked = true; replies = 0;
     q[other]!request,_pid,clock
  :: q[_pid]?request,from,ts ->
     theirs = ts;
     if :: ts >= clock -> clock = ts + 1 :: else fi;
     q[other]!reply,_pid,clock
  :: q[_pid]?reply,from,ts -> replies++
  :: q[_pid]?release,from,ts -> theirs = 0
  :: asked && replies == 1 && (theirs == 0 || mine < theirs || (mine == theirs && _pid < other)) ->
     cs++; assert(cs == 1); cs--;
     asked = false;
     q[other]!release,_pid,clock
  :: timeout -> break
  od
}
