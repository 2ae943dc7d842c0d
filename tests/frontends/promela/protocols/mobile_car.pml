mtype = { use, switch_, ho };
chan base[2] = [0] of { mtype, byte };
chan ctl = [0] of { byte };
active proctype Car() {
  byte at = 0, to;
end: do
  :: base[at]!use, 0
  :: base[at]?switch_, to -> at = to
  od
}
active proctype Centre() {
  byte cur = 0;
  do
  :: ctl!cur; cur = 1 - cur
  od
}
active [2] proctype Base() {
  byte me = _pid - 2, x;
end: do
  :: base[me]?use, x
  :: ctl?eval(me) -> base[me]!switch_, 1 - me
  od
}
