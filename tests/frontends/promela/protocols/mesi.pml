mtype = { I, S, M };
mtype line[3] = I; byte owner;
inline settle(me) { 
  byte k;
  d_step { k = 0; do :: k < 3 -> if :: k != me && line[k] == M -> line[k] = S :: else fi; k++ :: k == 3 -> break od; k = 0 }
}
active [3] proctype Cache() {
  do
  :: line[_pid] == I -> settle(_pid); line[_pid] = S
  :: atomic { line[_pid] == S -> line[(_pid + 1) % 3] = I; line[(_pid + 2) % 3] = I; line[_pid] = M }
  :: line[_pid] == M -> line[_pid] = I
  od
}
ltl one { [] !(line[0] == M && line[1] == M) }
