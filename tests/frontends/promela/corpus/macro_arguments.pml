#define joined(a, b) a ## b
#define told(form, ...) printf(form, __VA_ARGS__)
#define set(v, value) v = value
#if 0
this isn't read, whatever it is: $ "
#endif
byte x, x1;
active [2] proctype P() {
  joined(x,) = joined(1, 2);
  told("%d %d", x, x1);
  set(x1,
      x);
  joined(,x) = 0
}
