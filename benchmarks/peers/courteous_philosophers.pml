/* The philosophers of models/courteous_philosophers.py (class CourteousPhilosophers): the same states, the same edges.
 * -DN=4 sets the number of philosophers. Every place to stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 4
#endif

#define NEXT ((_pid + 1) % N)
#define BEFORE ((_pid + N - 1) % N)

bool left[N];
bool right[N];

active [N] proctype philosopher()
{
    do
    :: d_step { !left[_pid] && !right[BEFORE] -> left[_pid] = true; assert(!right[BEFORE]) }
    :: d_step { !right[_pid] && !left[NEXT] -> right[_pid] = true; assert(!left[NEXT]) }
    :: d_step { left[_pid] || right[_pid] -> left[_pid] = false; right[_pid] = false }
    od
}
