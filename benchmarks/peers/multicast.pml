/* The multicast protocol of breadth/multicast.py: the same states, the same edges. -DN=5 sets the receivers, 3 to 6. */
#ifndef N
#define N 5
#endif
#define NUMBERS 4

byte sending;
byte link[N];
byte has[N];
bool ack[N];
bool heard[N];
bool gossip[N];
hidden byte k;

#define I (_pid - 1)
#define NEXT (_pid % N)
#define DONE(i) (heard[i] && gossip[i] && !ack[i] && link[i] == 0)
#if N == 3
#define ALL_DONE (DONE(0) && DONE(1) && DONE(2))
#elif N == 4
#define ALL_DONE (DONE(0) && DONE(1) && DONE(2) && DONE(3))
#elif N == 5
#define ALL_DONE (DONE(0) && DONE(1) && DONE(2) && DONE(3) && DONE(4))
#else
#define ALL_DONE (DONE(0) && DONE(1) && DONE(2) && DONE(3) && DONE(4) && DONE(5))
#endif
#define AFTER ((sending + 1) % NUMBERS)

active proctype sender()
{
end:
    do
    :: d_step { ALL_DONE -> sending = AFTER; k = 0;
            do :: k < N -> heard[k] = false; gossip[k] = false; k++ :: else -> break od;
            k = 0 }
    od
}

active [N] proctype receiver()
{
end:
    do
    :: d_step { link[I] == 0 && !heard[I] -> link[I] = sending + 1 }
    :: d_step { link[I] != 0 -> link[I] = 0 }
    :: d_step { link[I] != 0 && !ack[I] ->
            if :: link[I] - 1 == has[I] -> has[I] = (has[I] + 1) % NUMBERS :: else fi;
            link[I] = 0; ack[I] = true }
    :: d_step { has[I] == AFTER && !gossip[NEXT] -> gossip[NEXT] = true }
    :: d_step { ack[I] -> ack[I] = false }
    :: d_step { ack[I] -> ack[I] = false; if :: has[I] == AFTER -> heard[I] = true :: else fi }
    od
}
