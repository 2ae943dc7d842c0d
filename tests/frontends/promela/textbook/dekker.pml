bool want[2];
byte turn;
byte crit;
active [2] proctype user() {
  byte me = _pid, you = 1 - _pid;
L: want[me] = true;
  do
  :: want[you] ->
     if
     :: turn == you -> want[me] = false; turn == me; want[me] = true
     :: turn == me
     fi
  :: else -> break
  od;
  crit++;
cs: assert(crit == 1);
  crit--;
  turn = you;
  want[me] = false;
  goto L
}
ltl mutex { [] !(user[0]@cs && user[1]@cs) }
