#define N 3
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define up(v) v = MAX(v, N) + 1
#if N > 2 && !defined(SMALL)
#define many
#else
#error too few
#endif
byte x, y;
active [N] proctype P() {
#ifdef many
  up(x);
#else
  skip;
#endif
  y = \
    x
}
