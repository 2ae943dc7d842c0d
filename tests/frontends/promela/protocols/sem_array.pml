/* philosophers with forks as channels of an array */
#define N 4
chan fork[N] = [1] of { bit };
active [N] proctype Phil() {
  byte left, right; 
  if :: _pid == N - 1 -> left = 0; right = _pid :: else -> left = _pid; right = _pid + 1 fi;
  fork[_pid]!1;
  fork[left]?_; fork[right]?_;
  fork[right]!1; fork[left]!1
}
