#define MAX 10
mtype = { num, eof };
chan found = [4] of { byte };
proctype Sift(chan in; byte depth) {
  chan out = [0] of { mtype, byte };
  byte prime, x; bool child;
  in?num(prime); found!prime;
  do
  :: in?num(x) ->
     if
     :: x % prime == 0
     :: else ->
        if :: !child && depth > 0 -> child = true; run Sift(out, depth - 1) :: else fi;
        if :: child -> out!num(x) :: else fi
     fi
  :: in?eof(_) -> if :: child -> out!eof(0) :: else fi; break
  od
}
init { byte i; chan c = [0] of { mtype, byte };
  run Sift(c, 3);
  for (i : 2 .. MAX) { c!num(i) };
  c!eof(0)
}
