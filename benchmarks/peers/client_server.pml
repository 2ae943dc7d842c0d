/* The clients and one server of models/client_server.py (class ClientServer): the same states, the same edges.
 * -DN=3 sets the number of clients, up to 4. -DASSERTED asserts the model's invariant: a client is in a queue only if it
 * waits, and in one of them.
 *
 * What someone does is where its process is. The invariant is a monitor's, which never has anything to do, so it adds
 * neither states nor edges. Every place to stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 3
#endif

chan requests = [N] of { byte };
chan answers = [1] of { byte };

#ifdef ASSERTED
bool waiting[N];
#define waits(w) waiting[_pid] = w
#define once(c) ((requests??[c] -> 1 : 0) + (answers??[c] -> 1 : 0) <= waiting[c])
#define upto_2 (once(0) && once(1) && once(2))
#if N > 3
#define invariant (upto_2 && once(3))
#else
#define invariant upto_2
#endif
#else
#define waits(w) skip
#endif

active [N] proctype client()
{
    do
    :: d_step { true };
       d_step { true };
       d_step { requests!_pid; waits(true) };
       d_step { answers?eval(_pid); waits(false) }
    od
}

active proctype server()
{
    byte whose;
    do
    :: requests?whose;
       d_step { true };
       d_step { true };
       answers!whose
    od
}

#ifdef ASSERTED
active proctype monitor()
{
    !invariant -> assert(false)
}
#endif
