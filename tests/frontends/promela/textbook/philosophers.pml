#define N 3
bool fork[N];
byte eating;
proctype Philosopher(byte left, right) {
think: atomic { !fork[left] -> fork[left] = true };
  if
  :: atomic { !fork[right] -> fork[right] = true };
     eating++;
     d_step { eating--; fork[right] = false; fork[left] = false };
     goto think
  :: fork[right] -> fork[left] = false; goto think
  fi
}
init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run Philosopher(i, (i + 1) % N)
    }
  }
}
