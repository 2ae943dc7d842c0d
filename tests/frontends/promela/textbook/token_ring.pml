#define N 4
chan link[N] = [0] of { bit };
byte inside;
active [N] proctype Station() {
  bit token;
  if
  :: _pid == 0 -> token = 1
  :: else
  fi;
  do
  :: token == 1 ->
     if
     :: inside++; assert(inside == 1); inside--
     :: skip
     fi;
     link[(_pid + 1) % N]!1;
     token = 0
  :: token == 0 -> link[_pid]?1; token = 1
  od
}
