/* a coordinator asks its members over an array and collects votes */
#define N 3
mtype = { prepare, yes, no, commit, abort };
chan to[N] = [1] of { mtype };
chan votes = [N] of { mtype, byte };
mtype outcome[N];
active proctype Coordinator() {
  byte k, n; mtype v; bool refused;
  for (k : 0 .. N - 1) { to[k]!prepare };
  n = 0;
  do :: n < N -> votes?v(k); n++; if :: v == no -> refused = true :: else fi :: else -> break od;
  for (k : 0 .. N - 1) { if :: refused -> to[k]!abort :: else -> to[k]!commit fi }
}
active [N] proctype Member() {
  byte me = _pid - 1;
  to[me]?prepare;
  if :: votes!yes(me) :: votes!no(me) fi;
  if :: to[me]?commit -> outcome[me] = commit :: to[me]?abort -> outcome[me] = abort fi
}
