#define MAXV 2
chan bus = [0] of { byte, byte };
byte cell_[2];
active [2] proctype Cpu() {
  byte v, a, w;
  do
  :: v < MAXV -> v++; if :: bus!_pid, v :: bus?a, w -> cell_[a] = w fi
  :: bus?a, w -> cell_[a] = w
  :: v == MAXV && timeout -> break
  od
}
