/* The scheduler of breadth/scheduler.py: the same states, the same edges. -DN=6 sets the number of tasks, 4 to 8. */
#ifndef N
#define N 6
#endif
#define WORK 3

#define SLEEPING 0
#define READY 1
#define RUNNING 2
#define BLOCKED 3

byte task[N];
byte left[N];
bool holds[N];
bool device;
byte running;
hidden byte k;

#define I _pid
#define BEFORE(j) (j < I && task[j] == READY)
#if N == 4
#define URGENT (BEFORE(0) || BEFORE(1) || BEFORE(2))
#elif N == 5
#define URGENT (BEFORE(0) || BEFORE(1) || BEFORE(2) || BEFORE(3))
#elif N == 6
#define URGENT (BEFORE(0) || BEFORE(1) || BEFORE(2) || BEFORE(3) || BEFORE(4))
#elif N == 7
#define URGENT (BEFORE(0) || BEFORE(1) || BEFORE(2) || BEFORE(3) || BEFORE(4) || BEFORE(5))
#else
#define URGENT (BEFORE(0) || BEFORE(1) || BEFORE(2) || BEFORE(3) || BEFORE(4) || BEFORE(5) || BEFORE(6))
#endif

active [N] proctype scheduled()
{
end:
    do
    :: d_step { task[I] == SLEEPING -> task[I] = READY; left[I] = WORK }
    :: d_step { running == 0 && task[I] == READY && !URGENT -> task[I] = RUNNING; running = I + 1 }
    :: d_step { task[I] == RUNNING && URGENT -> task[I] = READY; running = 0 }
    :: d_step { task[I] == RUNNING && left[I] > 1 -> left[I]-- }
    :: d_step { task[I] == RUNNING && !holds[I] && !device -> holds[I] = true; device = true }
    :: d_step { task[I] == RUNNING && !holds[I] && device -> task[I] = BLOCKED; running = 0 }
    :: d_step { task[I] == RUNNING && holds[I] -> holds[I] = false; device = false;
            k = 0;
            do :: k < N -> if :: task[k] == BLOCKED -> task[k] = READY :: else fi; k++ :: else -> break od;
            k = 0 }
    :: d_step { task[I] == RUNNING && left[I] == 1 && !holds[I] -> task[I] = SLEEPING; left[I] = 0; running = 0 }
    od
}
