#define NC 2
mtype = { request, reply };
chan server = [0] of { mtype, chan, byte };
typedef Reply { byte v; bool ok };
active [NC] proctype Client() {
  chan me = [0] of { mtype, byte };
  byte r;
end: do
  :: server ! request, me, _pid ->
     me ? reply, r;
     assert(r == _pid)
  od
}
active proctype Server() {
  chan who; byte v;
end: do
  :: server ? request, who, v -> who ! reply, v
  od
}
