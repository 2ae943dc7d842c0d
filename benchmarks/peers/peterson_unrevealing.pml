/* Peterson's algorithm of models/peterson.py (class PetersonUnrevealing), which runs for ever: the same states, the same
 * edges. -DN=2 sets the number of customers.
 *
 * What a customer does next is where its process is, so that SPIN's reduction sees which steps are its own. `critical`
 * is redundant: it counts the customers in the critical section.
 */
#ifndef N
#define N 2
#endif

#define OTHER_IS_BEHIND (other == _pid || level[other] < gate)

byte critical;
byte level[N];
byte last[N - 1];

active [N] proctype customer()
{
    byte gate, other;
start:
    if
    :: d_step { gate = 0 }
    fi;
next_gate:
    if
    :: d_step { gate < N - 1 -> skip }
    :: d_step { gate >= N - 1 -> critical++; assert(critical == 1) }; goto in_critical
    fi;
    d_step { level[_pid] = gate };
    d_step { last[gate] = _pid };
check_gate:
    if
    :: d_step { last[gate] != _pid -> gate++ }; goto next_gate
    :: d_step { last[gate] == _pid -> other = 0 }
    fi;
next_other:
    if
    :: d_step { other < N -> skip }
    :: d_step { other >= N -> gate++ }; goto next_gate
    fi;
    if
    :: d_step { OTHER_IS_BEHIND -> other++ }; goto next_other
    :: d_step { !OTHER_IS_BEHIND -> skip }; goto check_gate
    fi;
in_critical:
    if
    :: d_step { critical--; level[_pid] = 0 }; goto start
    fi
}
