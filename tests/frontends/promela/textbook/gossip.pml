#define N 3
typedef Row { bool knows[N] }
Row who[N];
active [N] proctype Friend() {
  byte k;
  who[_pid].knows[_pid] = true;
  do
  :: true ->
     if :: k = 0 :: k = 1 :: k = 2 fi;
     d_step {
       who[k].knows[_pid] = true;
       who[_pid].knows[0] = who[_pid].knows[0] || who[k].knows[0];
       who[_pid].knows[1] = who[_pid].knows[1] || who[k].knows[1];
       who[_pid].knows[2] = who[_pid].knows[2] || who[k].knows[2]
     }
  od
}
