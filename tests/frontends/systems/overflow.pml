/* Counters that nobody stops. */
#ifndef n
#define n 2
#endif
#define increment(i) d_step { assert(count[i] < 3); count[i]++ }
byte count[n];
active proctype Overflow() {
  do
  :: increment(0)
  :: increment(1)
  od
}
