mtype = { go, halt };
chan q = [2] of { mtype, pid };
byte who = 1; byte n;
active proctype Ctl() { q!go(1); q!halt(2); q!go(2) }
active [2] proctype Unit() {
  do
  :: atomic { q?[go, eval(_pid)] -> q?go(_); n++ }
  :: q?halt, eval(_pid) -> break
  :: n == 2 && _pid == 1 -> break
  od
}
