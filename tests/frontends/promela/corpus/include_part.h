#define N 4
#define TWICE(v) v = v + 1; v = v + N
byte x;
