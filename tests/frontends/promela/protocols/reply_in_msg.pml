/* a server answers on the channel it was given */
#define N 3
mtype = { ask, reply };
chan server = [N] of { mtype, chan };
chan box[N] = [1] of { mtype };
active [N] proctype Client() {
  byte i = 0;
  do
  :: i < 2 -> server!ask(box[_pid]); box[_pid]?reply; i++
  :: else -> break
  od
}
active proctype Server() {
  chan back;
end:  do
  :: server?ask(back) -> back!reply
  od
}
