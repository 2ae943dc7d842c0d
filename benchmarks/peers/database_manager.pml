/* The distributed database of models/database_manager.py (class DatabaseManager): the same states, the same edges.
 * -DN=4 sets the number of sites.
 *
 * `acknowledged` and `changing` count messages and managers, and so add no state; nor does `k`, which is 0 between
 * steps. Every place to stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 4
#endif

#define NONE 0
#define SENT 1
#define RECEIVED 2
#define ACKNOWLEDGED 3

bool locked;
byte message[N];
byte acknowledged;
byte changing;
byte k;

active [N] proctype manager()
{
    do
    :: d_step {
           !locked ->
           locked = true;
           for (k : 0 .. N - 1) {
               if
               :: k != _pid -> message[k] = SENT
               :: else
               fi
           }
           k = 0;
           changing++;
           assert(changing == 1)
       };
       d_step {
           acknowledged == N - 1 ->
           for (k : 0 .. N - 1) {
               message[k] = NONE
           }
           k = 0;
           acknowledged = 0;
           changing--;
           locked = false
       }
    od
}

active [N] proctype copy()
{
    do
    :: d_step { message[_pid - N] == SENT -> message[_pid - N] = RECEIVED };
       d_step { message[_pid - N] = ACKNOWLEDGED; acknowledged++ }
    od
}
