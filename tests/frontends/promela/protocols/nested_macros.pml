#define SQ(x) ((x) * (x))
#define TWICE(f, x) f(f(x))
#define CAT(a, b) a ## b
#define STEP(v, k) \
  if :: v < k -> v = v + 1 :: else -> v = 0 fi
byte CAT(coun, ter);
active [2] proctype P() {
  byte i;
  for (i : 1 .. 2) { STEP(counter, TWICE(SQ, 1) + i) };
  assert(counter <= SQ(2))
}
