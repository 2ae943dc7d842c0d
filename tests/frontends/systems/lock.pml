/* Processes go through a room, one at a time. */
#ifndef n
#define n 2
#endif
#define enter(i) d_step { at[i] == 0 && !locked -> at[i] = 1; locked = true }
#define leave(i) d_step { at[i] == 1 -> at[i] = 2; locked = false }
byte at[n];
bool locked;
active proctype Lock() {
end:
  do
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
#if n > 2
ltl safe { [] ((at[0] == 1) + (at[1] == 1) + (at[2] == 1) <= 1) }
#else
ltl safe { [] ((at[0] == 1) + (at[1] == 1) <= 1) }
#endif
