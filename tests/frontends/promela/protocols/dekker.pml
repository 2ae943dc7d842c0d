mtype:turn = { mine, yours };
byte flags; bit who; byte n;
inline enter(me, other) {
  flags = flags | (1 << me);
  do
  :: flags & (1 << other) ->
     if
     :: who == other -> flags = flags & ~(1 << me); who != other; flags = flags | (1 << me)
     :: else -> skip
     fi
  :: else -> break
  od
}
active proctype A() {
again: enter(0, 1);
  n++; assert(n == 1); n--;
  who = 1; flags = flags & 2;
  goto again
}
active proctype B() {
again: enter(1, 0);
progress: n++; assert(n == 1); n--;
  who = 0; flags = flags & 1;
  goto again
}
