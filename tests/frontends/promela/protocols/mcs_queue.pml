#define NIL 3
byte next[3] = NIL; bool locked[3]; byte tail = NIL; byte inside;
active [3] proctype P() {
  byte pred;
  next[_pid] = NIL;
  d_step { pred = tail; tail = _pid };
  if
  :: pred != NIL -> locked[_pid] = true; next[pred] = _pid; !locked[_pid]
  :: else
  fi;
  inside++; assert(inside == 1); inside--;
  if
  :: next[_pid] == NIL ->
     if
     :: atomic { tail == _pid -> tail = NIL }; goto out
     :: tail != _pid -> next[_pid] != NIL
     fi
  :: else
  fi;
  locked[next[_pid]] = false;
out: skip
}
