mtype = { data, ack };
chan q = [3] of { mtype, byte, bool };
byte got;
active proctype S() { q!data(1, true); q!ack, 2, false; q!data, 3, 1 }
active proctype R() {
  bool b; byte v;
  do
  :: q?data(v, b) -> got = got + v
  :: q?ack, v, b -> got = got + 10 * v
  od
}
