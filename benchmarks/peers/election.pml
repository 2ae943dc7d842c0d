/* The leader election of breadth/election.py: the same states, the same edges. -DN=6 sets the size. */
#ifndef N
#define N 6
#endif

#define ASLEEP 0
#define CANDIDATE 1
#define BEATEN 2
#define LEADER 3

#define I _pid
#define NEXT ((_pid + 1) % N)
#define MINE ((_pid * 5 + 2) % N)

byte role[N];
byte known[N];
chan wire[N] = [N] of { byte };
hidden byte message;

active [N] proctype station()
{
end:
    do
    :: d_step { role[I] == ASLEEP && nfull(wire[NEXT]) -> role[I] = CANDIDATE; wire[NEXT]!MINE }
    :: d_step { nempty(wire[I]) && nfull(wire[NEXT]) -> wire[I]?message;
            if
            :: message >= N && role[I] != LEADER ->
                role[I] = BEATEN; known[I] = message - N + 1; wire[NEXT]!message
            :: message >= N && role[I] == LEADER -> skip
            :: message < N && message > MINE ->
                if :: role[I] != LEADER -> role[I] = BEATEN :: else fi;
                wire[NEXT]!message
            :: message < N && message == MINE ->
                role[I] = LEADER; known[I] = MINE + 1; wire[NEXT]!N + MINE
            :: message < N && message < MINE ->
                if :: role[I] == ASLEEP -> role[I] = BEATEN :: else fi
            fi;
            message = 0 }
    od
}
