/* Processes look whether the room is free, and go in a step later. */
#ifndef n
#define n 2
#endif
#define look(i) d_step { at[i] == 0 && !locked -> at[i] = 1 }
#define enter(i) d_step { at[i] == 1 -> locked = true; at[i] = 2 }
#define leave(i) d_step { at[i] == 2 -> locked = false; at[i] = 0 }
byte at[n];
bool locked;
active proctype Race() {
  do
  :: look(0)
  :: look(1)
#if n > 2
  :: look(2)
#endif
  :: enter(0)
  :: enter(1)
#if n > 2
  :: enter(2)
#endif
  :: leave(0)
  :: leave(1)
#if n > 2
  :: leave(2)
#endif
  od
}
ltl safe { [] ((at[0] == 2) + (at[1] == 2) <= 1) }
