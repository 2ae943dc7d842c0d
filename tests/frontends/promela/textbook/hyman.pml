bool want[2];
bool turn;
byte cnt;
active [2] proctype P() {
again:
  want[_pid] = 1;
  do
  :: turn != _pid -> !want[1 - _pid]; turn = _pid
  :: turn == _pid -> break
  od;
  cnt++;
  assert(cnt == 1);
  cnt--;
  want[_pid] = 0;
  goto again
}
