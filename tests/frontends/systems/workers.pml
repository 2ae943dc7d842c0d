/* Workers who have nothing to do with each other: any order of their steps will do, and any names. */
#ifndef n
#define n 3
#endif
#define work(i) d_step { step[i] < 2 -> step[i]++ }
byte step[n];
active proctype Workers() {
end:
  do
  :: work(0)
#if n > 1
  :: work(1)
#endif
#if n > 2
  :: work(2)
#endif
  od
}
