mtype = { number, eof };
chan head = [0] of { mtype, byte };
proctype Filter(chan in; byte prime) {
  chan next = [0] of { mtype, byte };
  byte n;
  bool child;
  do
  :: in?number(n) ->
     if
     :: n % prime == 0
     :: n % prime != 0 ->
        if
        :: child -> next!number(n)
        :: else -> run Filter(next, n); child = true
        fi
     fi
  :: in?eof(_) -> if :: child -> next!eof(0) :: else fi; break
  od
}
init {
  byte k = 3;
  run Filter(head, 2);
  do
  :: k < 9 -> head!number(k); k++
  :: else -> head!eof(0); break
  od
}
