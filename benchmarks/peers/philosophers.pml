/* The dining philosophers of models/philosophers.py (class OrderedPhilosophers): the same states, the same edges.
 * -DN=5 sets the size.
 *
 * What a philosopher does is where its process is, so that SPIN can tell which steps are its own business. `eating` is
 * redundant and so adds no state. Every other place than `end_left` to stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 5
#endif

#define I _pid
#define NEXT ((_pid + 1) % N)
#define FIRST (I < NEXT -> I : NEXT)
#define SECOND (I < NEXT -> NEXT : I)

bool taken[N];
bool eating[N];

active [N] proctype philosopher()
{
    do
    :: d_step { !taken[FIRST] -> taken[FIRST] = true };
       d_step { !taken[SECOND] -> taken[SECOND] = true; eating[I] = true;
           assert(!eating[NEXT] && !eating[(I + N - 1) % N]) };
       d_step { taken[FIRST] = false; taken[SECOND] = false; eating[I] = false }
    :: true -> break
    od;
end_left:
    false
}
