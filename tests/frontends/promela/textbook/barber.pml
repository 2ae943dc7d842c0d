#define CHAIRS 2
byte waiting;
chan chair = [0] of { byte };
chan done = [0] of { byte };
byte cuts;
active proctype Barber() {
  byte who;
end: do
  :: chair?who; cuts = (cuts + 1) % 4; done!who
  od
}
active [3] proctype Customer() {
  do
  :: atomic { waiting < CHAIRS -> waiting++ }
     chair!_pid;
     waiting--;
     done?eval(_pid)
  :: atomic { waiting == CHAIRS -> skip } /* goes away */
  od
}
