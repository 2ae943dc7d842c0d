/* A token goes from station to station; each works while it has it, once in a round. */
#ifndef n
#define n 3
#endif
#define work(i) d_step { token == i && !worked[i] -> worked[i] = true }
#define hand_on(i) d_step { token == i && worked[i] -> worked[i] = false; token = (i + 1) % n }
byte token;
bool worked[n];
active proctype Ring() {
  do
  :: work(0)
  :: work(1)
  :: work(2)
  :: hand_on(0)
  :: hand_on(1)
  :: hand_on(2)
  od
}
ltl inevitable { [] <> (token == 0) }
