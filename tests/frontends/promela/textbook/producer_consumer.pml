mtype = { item, stop };
chan buffer = [2] of { mtype, byte };
int total;
active proctype Producer() {
  byte k;
  for (k : 1 .. 3) {
    buffer!item,k
  }
  buffer!stop,0
}
active proctype Consumer() {
  byte v;
  do
  :: buffer?item,v -> total = total + v
  :: buffer?stop,_ -> break
  od;
  assert(total == 6)
}
