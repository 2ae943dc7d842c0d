/* The sliding window protocol of breadth/window.py: the same states, the same edges. -DN=5 sets the numbers. */
#ifndef N
#define N 5
#endif
#define WINDOW 4
#define ROOM 5

byte first;
byte sent;
byte wanted;
byte got;
chan data = [ROOM] of { byte };
chan acks = [ROOM] of { byte };
hidden byte number;
hidden byte distance;

active proctype protocol()
{
end:
    do
    :: d_step { sent < WINDOW && nfull(data) -> data!(first + sent) % N; sent++ }
    :: d_step { sent > 0 && nfull(data) -> data!first; sent = 1 }
    :: d_step { nempty(data) -> data?number; number = 0 }
    :: d_step { nempty(acks) -> acks?number; number = 0 }
    :: d_step { nempty(data) && nfull(acks) -> data?number;
            if
            :: number == wanted -> wanted = (wanted + 1) % N; got++; assert(got <= WINDOW)
            :: else
            fi;
            acks!wanted; number = 0 }
    :: d_step { nempty(acks) -> acks?number; distance = (number + N - first) % N;
            if
            :: distance <= got -> first = number; got = got - distance;
                if :: sent > distance -> sent = sent - distance :: else -> sent = 0 fi
            :: else
            fi;
            number = 0; distance = 0 }
    od
}
