mtype = { want, grant, done };
chan up[3] = [2] of { mtype, byte };
chan down[4] = [1] of { mtype };
byte in;
active [3] proctype Arbiter() {
  mtype m; byte who;
  do
  :: up[_pid]?want, who ->
     if
     :: _pid == 0 -> skip
     :: else -> up[0]!want, _pid - 1 + 2; down[_pid + 1]?grant
     fi;
     down[who]!grant;
     up[_pid]?done, _;
     if :: _pid > 0 -> up[0]!done, 0 :: else fi
  od
}
active [2] proctype Leaf() {
  byte mine = _pid - 3;
  do
  :: up[mine + 1]!want, mine; down[mine]?grant; in++; in--; up[mine + 1]!done, mine
  od
}
