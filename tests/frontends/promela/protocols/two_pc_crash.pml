mtype = { prep, yes, no, commit, abort };
chan c2p[2] = [2] of { mtype }; chan p2c = [4] of { mtype, byte };
mtype state_[2];
active proctype Coord() {
  mtype m; byte k, y;
  c2p[0]!prep; c2p[1]!prep;
  do
  :: k < 2 -> p2c?m, _; k++; if :: m == yes -> y++ :: else fi
  :: k == 2 -> break
  :: timeout -> break
  od;
  if :: y == 2 -> c2p[0]!commit; c2p[1]!commit :: else -> c2p[0]!abort; c2p[1]!abort fi
}
active [2] proctype Part() {
  byte me = _pid - 1; mtype m;
  if :: c2p[me]?prep -> if :: p2c!yes, me :: p2c!no, me; state_[me] = abort :: skip -> goto dead fi fi;
  c2p[me]?m; assert(!(state_[me] == abort && m == commit)); state_[me] = m;
dead: skip
}
ltl agree { [] !(state_[0] == commit && state_[1] == abort) }
