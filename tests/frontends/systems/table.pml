/* Philosophers who each take the left fork first: they may all wait for each other. */
#ifndef n
#define n 3
#endif
#define take_left(i) d_step { seat[i] == 0 && !taken[i] -> taken[i] = true; seat[i] = 1 }
#define eat(i) d_step { seat[i] == 1 && !taken[(i + 1) % n] -> taken[i] = false; seat[i] = 2 }
byte seat[n];
bool taken[n];
active proctype Table() {
  do
  :: take_left(0)
  :: take_left(1)
  :: take_left(2)
  :: eat(0)
  :: eat(1)
  :: eat(2)
  od
}
