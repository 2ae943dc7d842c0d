#define N 2
chan link[N] = [1] of { byte, byte };
active [N] proctype node() {
  byte from, v; chan in = link[_pid], out = link[(_pid+1)%N];
  xr in; xs out;
  out!_pid,1;
  do
  :: in?from,eval(v+1) -> v++; if :: v < 2 -> out!_pid,v+1 :: else -> break fi
  od
}
