/* Peterson's algorithm for N customers, as in models/peterson.py (class Peterson): the same states, the same edges.
 * -DN=3 sets the size. Why it looks as it does: see token_ring.pml.
 */
#ifndef N
#define N 3
#endif

#define START 0
#define NEXT_GATE 1
#define FIRST_WRITE 2
#define SECOND_WRITE 3
#define CHECK_GATE 4
#define NEXT_OTHER 5
#define CHECK_OTHER 6
#define CRITICAL 7
#define STOPPED 8

#define I _pid
#define GO_THROUGH gate[I]++; at[I] = NEXT_GATE
#define OTHER_IS_BEHIND (other[I] == I || level[other[I]] <= gate[I])

byte critical;
byte at[N];
byte gate[N];
byte other[N];
byte level[N];
byte last[N - 1];

active [N] proctype customer()
{
end:
    do
    :: d_step { at[I] == START -> gate[I] = 0; at[I] = NEXT_GATE }
    :: d_step { at[I] == START -> at[I] = STOPPED }
    :: d_step { at[I] == NEXT_GATE && gate[I] < N - 1 -> at[I] = FIRST_WRITE }
    :: d_step { at[I] == NEXT_GATE && gate[I] >= N - 1 -> critical++; assert(critical == 1); at[I] = CRITICAL }
    :: d_step { at[I] == FIRST_WRITE -> level[I] = gate[I] + 1; at[I] = SECOND_WRITE }
    :: d_step { at[I] == SECOND_WRITE -> last[gate[I]] = I; at[I] = CHECK_GATE }
    :: d_step { at[I] == CHECK_GATE && last[gate[I]] != I -> GO_THROUGH }
    :: d_step { at[I] == CHECK_GATE && last[gate[I]] == I -> other[I] = 0; at[I] = NEXT_OTHER }
    :: d_step { at[I] == NEXT_OTHER && other[I] < N -> at[I] = CHECK_OTHER }
    :: d_step { at[I] == NEXT_OTHER && other[I] >= N -> GO_THROUGH }
    :: d_step { at[I] == CHECK_OTHER && OTHER_IS_BEHIND -> other[I]++; at[I] = NEXT_OTHER }
    :: d_step { at[I] == CHECK_OTHER && !OTHER_IS_BEHIND -> at[I] = CHECK_GATE }
    :: d_step { at[I] == CRITICAL -> critical--; level[I] = 0; at[I] = START }
    :: timeout && at[I] != STOPPED -> assert(false)
    od
}
