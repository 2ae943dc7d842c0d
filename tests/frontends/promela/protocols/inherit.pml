mtype = { tok, req };
chan nb[4] = [2] of { mtype, byte };
byte parent[4];
active [4] proctype T() {
  byte from; bool has;
  parent[_pid] = _pid / 2; has = (_pid == 0);
  do
  :: has && nb[_pid]?[req, from] -> nb[_pid]?req, from; parent[_pid] = from; has = false; nb[from]!tok, _pid
  :: !has && parent[_pid] != _pid -> nb[parent[_pid]]!req, _pid; nb[_pid]??tok, _; has = true
  od
}
