/* The philosophers of breadth/philosophers.py: the same states, the same edges. -DN=8 sets the size. */
#ifndef N
#define N 8
#endif

#define I _pid
#define NEXT ((_pid + 1) % N)

byte fork[N];
byte left[N];
byte right[N];
byte fed[N];

active [N] proctype philosopher()
{
end:
    do
    :: d_step { left[I] == 0 && right[I] == 0 && fork[I] == 0 -> fork[I] = 1; left[I] = 1 }
    :: d_step { left[I] == 1 && right[I] == 0 && fed[I] == 0 && fork[NEXT] == 0 -> fork[NEXT] = 1; right[I] = 1 }
    :: d_step { left[I] == 1 && right[I] == 1 && fed[I] == 0 -> fed[I] = 1; assert(fork[I] == 1) }
    :: d_step { right[I] == 1 && fed[I] == 1 -> right[I] = 0; fork[NEXT] = 0 }
    :: d_step { left[I] == 1 && right[I] == 0 && fed[I] == 1 -> left[I] = 0; fed[I] = 0; fork[I] = 0 }
    od
}
