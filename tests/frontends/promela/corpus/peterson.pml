bool want[2]; byte turn, in;
active [2] proctype P() {
again:
  want[_pid] = true; turn = 1 - _pid;
  !want[1 - _pid] || turn == _pid;
  in++; assert(in == 1); in--;
  want[_pid] = false;
  goto again
}
