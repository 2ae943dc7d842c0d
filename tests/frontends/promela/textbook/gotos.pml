/* A protocol machine in the style of a state table. */
mtype = { open, ok, data, close };
chan a = [1] of { mtype };
chan b = [1] of { mtype };
active proctype Caller() {
Closed:
  a!open;
  goto Opening;
Opening:
  if
  :: b?ok -> goto Open
  :: timeout -> goto Closed
  fi;
Open:
  if
  :: a!data -> goto Open
  :: a!close -> goto Closing
  fi;
Closing:
  b?ok;
  goto Closed
}
active proctype Callee() {
Closed:
  a?open -> b!ok;
Open:
  do
  :: a?data -> skip
  :: a?close -> b!ok; goto Closed
  od
}
