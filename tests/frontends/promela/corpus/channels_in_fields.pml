/* Fields that make channels: of shared variables, of arrays, and of the variables of processes that come and go. */
typedef Port { chan out[2] = [1] of { byte }; byte sent };
typedef Host { Port port; chan bell = [0] of { bit } };
Host host[2];
byte got;
proctype Guest(byte n) { Port own; own.out[1]!n; own.out[1]?got }
active [2] proctype Node() {
  byte v;
  host[1 - _pid].port.out[_pid]!_pid + 5;
  if
  :: host[_pid].port.out[1 - _pid]?v -> host[_pid].bell!1
  :: host[1 - _pid].bell?_ -> run Guest(_pid)
  fi
}
