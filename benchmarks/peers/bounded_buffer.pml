/* The bounded buffer of models/bounded_buffer.py (class BoundedBuffer): the same states, the same edges.
 * -DN=3 sets the number of producers and of consumers (N < 5); the buffer has room for N - 1 items.
 *
 * A thread has one control state, as in the model. Nobody may stand still for ever: SPIN looks for that by itself.
 */
#ifndef N
#define N 3
#endif

#define ME _pid
#define PRODUCES(t) ((t) < N)
#define CAN_GO_ON (PRODUCES(ME) && items < N - 1 || !PRODUCES(ME) && items > 0)
#define MOVE items = (PRODUCES(ME) -> items + 1 : items - 1)
#define CAN_WAKE(t) ((t) < 2 * N && asleep[(t) % (2 * N)] && PRODUCES(ME) != PRODUCES(t))
#define WAKES_NOBODY (!CAN_WAKE(0) && !CAN_WAKE(1) && !CAN_WAKE(2) && !CAN_WAKE(3) && \
    !CAN_WAKE(4) && !CAN_WAKE(5) && !CAN_WAKE(6) && !CAN_WAKE(7))
#define WAKE(t) d_step { !asleep[ME] && CAN_GO_ON && CAN_WAKE(t) -> MOVE; asleep[(t) % (2 * N)] = false }

byte items;
bool asleep[2 * N];

active [2 * N] proctype thread()
{
    do
    :: d_step { !asleep[ME] && !CAN_GO_ON -> asleep[ME] = true }
    :: d_step { !asleep[ME] && CAN_GO_ON && WAKES_NOBODY -> MOVE }
    :: WAKE(0)
    :: WAKE(1)
    :: WAKE(2)
    :: WAKE(3)
    :: WAKE(4)
    :: WAKE(5)
    :: WAKE(6)
    :: WAKE(7)
    od
}
