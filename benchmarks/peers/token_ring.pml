/* The demand-driven token ring of models/token_ring.py: the same states, the same edges. -DN=3 sets the size (N > 2).
 *
 * A station is a process that never leaves its loop, so that it has one control state, and each step is indivisible.
 * `critical` is redundant (it counts the clients in the critical section) and so adds no state: it makes the check of
 * mutual exclusion as cheap as it can be. `timeout` is true in terminal states only: there everyone must have stopped.
 */
#ifndef N
#define N 6
#endif

#define IDLE 0
#define REQUESTED 1
#define CRITICAL 2
#define STOPPED 3
#define WAITING 1
#define SERVING 2

#define I _pid
#define NEXT ((_pid + 1) % N)
#define PASS token[I] = false; token[NEXT] = true; server[I] = IDLE

byte critical;
byte client[N];
byte server[N];
bool token[N] = {false, true, false};  /* the last value is that of all the rest */

active [N] proctype station()
{
end:
    do
    :: d_step { client[I] == IDLE -> client[I] = REQUESTED }
    :: d_step { client[I] == CRITICAL -> critical--; client[I] = IDLE }
    :: d_step { client[I] == IDLE -> client[I] = STOPPED }
    :: d_step { server[I] == IDLE && (client[I] == REQUESTED || server[NEXT] == WAITING && !token[NEXT]) ->
            server[I] = WAITING }
    :: d_step { server[I] == WAITING && token[I] && client[I] == REQUESTED ->
            critical++; assert(critical == 1); client[I] = CRITICAL; server[I] = SERVING }
    :: d_step { server[I] == WAITING && token[I] && client[I] != REQUESTED && server[NEXT] == WAITING -> PASS }
    :: d_step { server[I] == SERVING && client[I] != CRITICAL -> PASS }
    :: timeout && client[I] != STOPPED -> assert(false)
    od
}
