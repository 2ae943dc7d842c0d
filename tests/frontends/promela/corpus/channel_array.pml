chan q[3] = [1] of { byte };
byte n;
active [3] proctype P() {
  byte v;
  do
  :: q[(_pid + 1) % 3]!_pid
  :: q[_pid]?v -> n = v
  :: n == 2 -> break
  od
}
