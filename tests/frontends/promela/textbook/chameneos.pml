mtype = { red, blue, yellow };
mtype colour[3];
chan meet = [0] of { byte, mtype };
byte met;
inline complement(a, b, r) {
  if
  :: a == b -> r = a
  :: else ->
     if
     :: a != red && b != red -> r = red
     :: a != blue && b != blue -> r = blue
     :: a != yellow && b != yellow -> r = yellow
     fi
  fi
}
active [3] proctype C() {
  mtype mine, theirs, next;
  byte who;
  if :: _pid == 0 -> mine = red :: _pid == 1 -> mine = blue :: _pid == 2 -> mine = yellow fi;
  do
  :: met < 2 -> meet!_pid,mine; met++; colour[_pid] = mine
  :: met < 2 -> meet?who,theirs; complement(mine, theirs, next); mine = next
  :: met >= 2 -> break
  od
}
