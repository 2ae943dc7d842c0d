/* The bakery algorithm of models/bakery.py (class Bakery) with 3 tickets: the same states, the same edges. -DN=2 sets the
 * number of customers.
 *
 * What a customer does next is where its process is, so that SPIN's reduction sees which steps are its own. `served`
 * is redundant: it counts the customers that are served. A run may end only if everyone is gone.
 */
#ifndef N
#define N 2
#endif
#define TICKETS 3

#define GOES_FIRST (ticket[other] > 0 && \
    (ticket[other] < ticket[_pid] || (ticket[other] == ticket[_pid] && other < _pid)))
#define ENTER largest = 0; other = 0; door_closed[_pid] = false

byte served;
byte ticket[N];
bool door_closed[N];

active [N] proctype customer()
{
    byte other, largest;
outside:
    if
    :: d_step { door_closed[_pid] = true }
    :: d_step { true }; goto end_gone
    fi;
drawing:
    if
    :: d_step { other < N -> largest = (ticket[other] > largest -> ticket[other] : largest); other++ }; goto drawing
    :: d_step { other == N && largest < TICKETS -> ticket[_pid] = largest + 1; ENTER }
    :: d_step { other == N && largest == TICKETS -> ENTER }; goto outside
    fi;
waiting_door:
    if
    :: d_step { other == N -> other = 0; served++; assert(served == 1) }; goto at_the_counter
    :: d_step { other < N && !door_closed[other] -> skip }
    fi;
    d_step { !GOES_FIRST -> other++ };
    goto waiting_door;
at_the_counter:
    if
    :: d_step { served--; ticket[_pid] = 0 }; goto outside
    fi;
end_gone:
    false
}
