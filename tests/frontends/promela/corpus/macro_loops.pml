#define rand(x, lo, hi) \
	x = lo; \
	do \
	:: x < hi -> x++ \
	:: break \
	od
#define MAX(a,b) ((a) > (b) -> (a) : (b))
#define forall(i,n) i = 0; do :: i < n -> i++
#define endfor :: else -> break od
#undef FOO
#ifndef FOO
#define FOO 4
#endif
#if FOO == 4 && !defined(BAR)
# define CHECK assert(x <= FOO)
#elif FOO
# error no
#else
  not promela
#endif
byte x, y;
active proctype P() { byte i; rand(x, 1, FOO); CHECK; y = MAX(x, 3); forall(i, 2) endfor; assert(y >= 3) }
