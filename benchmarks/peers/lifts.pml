/* The lifts of breadth/lifts.py: the same states, the same edges. -DN=5 sets the number of floors. */
#ifndef N
#define N 5
#endif
#define LIFTS 2

bool call[N];
bool stop[LIFTS * N];
byte at[LIFTS];
bool up[LIFTS] = true;
bool open[LIFTS];

#define K (_pid - 1)
#define WANTED(x) (call[x] || stop[K * N + (x)])
#define ABOVE(x) ((x) > at[K] && WANTED(x))
#define BELOW(x) ((x) < at[K] && WANTED(x))
#if N == 4
#define SOME_ABOVE (ABOVE(0) || ABOVE(1) || ABOVE(2) || ABOVE(3))
#define SOME_BELOW (BELOW(0) || BELOW(1) || BELOW(2) || BELOW(3))
#elif N == 5
#define SOME_ABOVE (ABOVE(0) || ABOVE(1) || ABOVE(2) || ABOVE(3) || ABOVE(4))
#define SOME_BELOW (BELOW(0) || BELOW(1) || BELOW(2) || BELOW(3) || BELOW(4))
#else
#define SOME_ABOVE (ABOVE(0) || ABOVE(1) || ABOVE(2) || ABOVE(3) || ABOVE(4) || ABOVE(5))
#define SOME_BELOW (BELOW(0) || BELOW(1) || BELOW(2) || BELOW(3) || BELOW(4) || BELOW(5))
#endif

#define SHUT (!open[K] && !WANTED(at[K]))

active proctype people()
{
end:
    do
    :: d_step { !call[0] -> call[0] = true }
    :: d_step { !call[1] -> call[1] = true }
    :: d_step { !call[2] -> call[2] = true }
    :: d_step { !call[3] -> call[3] = true }
#if N > 4
    :: d_step { !call[4] -> call[4] = true }
#endif
#if N > 5
    :: d_step { !call[5] -> call[5] = true }
#endif
    od
}

#define CHOOSE(x) d_step { open[K] && at[K] != x && !stop[K * N + x] -> stop[K * N + x] = true }

active [LIFTS] proctype lift()
{
end:
    do
    :: d_step { !open[K] && WANTED(at[K]) -> open[K] = true; call[at[K]] = false; stop[K * N + at[K]] = false }
    :: CHOOSE(0)
    :: CHOOSE(1)
    :: CHOOSE(2)
    :: CHOOSE(3)
#if N > 4
    :: CHOOSE(4)
#endif
#if N > 5
    :: CHOOSE(5)
#endif
    :: d_step { open[K] -> open[K] = false }
    :: d_step { SHUT && up[K] && SOME_ABOVE -> at[K]++ }
    :: d_step { SHUT && !up[K] && SOME_BELOW -> at[K]-- }
    :: d_step { SHUT && (up[K] && !SOME_ABOVE && SOME_BELOW || !up[K] && !SOME_BELOW && SOME_ABOVE) -> up[K] = !up[K] }
    od
}
