/* The clients and one server of models/client_server.py (class ClientServer): the same states, the same edges.
 * -DN=3 sets the number of clients.
 *
 * What someone does is where its process is. The invariant of the model is not asserted here. Every place to
 * stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 3
#endif

chan requests = [N] of { byte };
chan answers = [1] of { byte };

active [N] proctype client()
{
    do
    :: d_step { true };
       d_step { true };
       requests!_pid;
       answers?eval(_pid)
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
