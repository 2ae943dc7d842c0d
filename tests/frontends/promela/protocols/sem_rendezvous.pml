mtype = { p, v };
chan sema = [0] of { mtype };
byte inside;
active proctype Dijkstra() {
  byte count = 1;
end: do
  :: count == 1 -> sema!p; count = 0
  :: count == 0 -> sema?v; count = 1
  od
}
active [3] proctype User() {
  sema?p;
critical: inside++;
  assert(inside == 1);
  inside--;
  sema!v
}
