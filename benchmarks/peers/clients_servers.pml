/* The clients and servers of models/client_server.py (class ClientServer): the same states, the same edges.
 * -DN=3 sets the number of clients, -DSERVERS=1 that of servers.
 *
 * What someone does is where its process is. The invariant of the model is not asserted here. Every place to
 * stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 3
#endif
#ifndef SERVERS
#define SERVERS 1
#endif

#define is_served (client[0]@served)
#define is_thinking (client[0]@thinking)
#define is_waiting (client[0]@waiting)

chan requests = [N] of { byte };
chan answers = [SERVERS] of { byte };

active [N] proctype client()
{
served:
    do
    :: d_step { true };
thinking:
       true;
       requests!_pid;
waiting:
       answers?eval(_pid)
    od
}

active [SERVERS] proctype server()
{
    byte whose;
    do
    :: requests?whose;
       d_step { true };
       d_step { true };
       answers!whose
    od
}
