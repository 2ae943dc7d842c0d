/* The bus arbiter of breadth/arbiter.py: the same states, the same edges. -DN=5 sets the number of masters. */
#ifndef N
#define N 5
#endif
#define SLAVES 3

#define IDLE 0
#define ASKING 1
#define ADDRESSING 2
#define WAITING 3
#define READING 4

byte master[N];
byte slave[N];
byte busy[SLAVES];
byte left[SLAVES];
byte bus;
byte turn;

#define I _pid
#define S (_pid - N)
#define ASK(s) d_step { master[I] == IDLE -> master[I] = ASKING; slave[I] = s }

active [N] proctype bus_master()
{
end:
    do
    :: ASK(0)
    :: ASK(1)
    :: ASK(2)
    :: d_step { bus == 0 && turn == I && master[I] == ASKING && busy[slave[I]] == 0 ->
            bus = I + 1; master[I] = ADDRESSING; turn = (I + 1) % N }
    :: d_step { bus == 0 && turn == I && (master[I] != ASKING || busy[slave[I]] != 0) -> turn = (I + 1) % N }
    :: d_step { master[I] == ADDRESSING ->
            busy[slave[I]] = I + 1; left[slave[I]] = 2; master[I] = WAITING; bus = 0 }
    :: d_step { master[I] == READING -> master[I] = IDLE; slave[I] = 0; bus = 0 }
    od
}

active [SLAVES] proctype bus_slave()
{
end:
    do
    :: d_step { busy[S] != 0 && left[S] > 0 -> left[S]-- }
    :: d_step { bus == 0 && busy[S] != 0 && left[S] == 0 ->
            bus = busy[S]; master[busy[S] - 1] = READING; busy[S] = 0 }
    od
}
