/* The philosophers of models/philosophers_chairs.py (class ChairsPhilosophers): the same states, the same edges.
 * -DN=5 sets the number of philosophers.
 *
 * `eating` says where processes are, and so adds no state. Every place to stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 5
#endif

#define RIGHT ((_pid + 1) % N)
#define LEFT ((_pid + N - 1) % N)

byte seated;
bool taken[N];
bool eating[N];

active [N] proctype philosopher()
{
    do
    :: d_step { seated < N - 1 -> seated++ };
       d_step { !taken[_pid] -> taken[_pid] = true };
       d_step { !taken[RIGHT] -> taken[RIGHT] = true; eating[_pid] = true; assert(!eating[LEFT] && !eating[RIGHT]) };
       d_step { taken[_pid] = false; taken[RIGHT] = false; eating[_pid] = false; seated-- }
    od
}
