/* a channel is handed on from process to process, the last one answers */
chan hop[3] = [1] of { chan };
chan home[2] = [1] of { byte };
active [3] proctype Relay() {
  chan what; byte n;
  do
  :: n < 2 -> hop[_pid]?what; n++;
     if :: _pid < 2 -> hop[_pid + 1]!what :: else -> what!n fi
  :: else -> break
  od
}
active [2] proctype Owner() {
  byte n;
  hop[0]!home[_pid - 3];
  home[_pid - 3]?n
}
