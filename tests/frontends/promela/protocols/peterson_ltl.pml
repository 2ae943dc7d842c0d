bool want[2]; byte turn; byte inside;
active [2] proctype P() {
  do
  :: want[_pid] = true; turn = 1 - _pid;
     (!want[1 - _pid] || turn == _pid);
cs:  inside++; assert(inside == 1); inside--;
     want[_pid] = false
  od
}
ltl safe { [] !(P[0]@cs && P[1]@cs) }
ltl live { [] ((P[0]:_pid == 0 && want[0]) -> <> P[0]@cs) }
ltl wrong { [] <> P[1]@cs }
