/* Work that a watchdog interrupts. */
bool stop;
byte work;
active proctype Worker() {
  do
  :: {
       work = 1;
       work = 2;
       work = 0
     } unless { stop -> stop = false; work = 0 }
  od
}
active proctype Watchdog() {
  end: do
  :: work == 2 -> stop = true
  od
}
