chan pool = [2] of { chan };
chan a = [1] of { byte }; chan b = [1] of { byte };
active proctype Fill() { pool!a; pool!b }
active [2] proctype User() {
  chan c; byte x;
  do :: pool?c; c!_pid; c?x; assert(x == _pid); pool!c od
}
