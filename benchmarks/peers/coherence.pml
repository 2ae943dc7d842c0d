/* The cache coherence protocol of breadth/coherence.py: the same states, the same edges. -DN=4 sets the size. */
#ifndef N
#define N 4
#endif

#define NONE 0
#define SHARED 1
#define EXCLUSIVE 2
#define INVALIDATE 1
#define GIVE_SHARED 2
#define GIVE_EXCLUSIVE 3

#define I (_pid - 1)

byte line[N];
byte request[N];
byte answer[N];
bool acknowledged[N];
bool to_invalidate[N];
bool sharer[N];
bool exclusive;
byte command;
byte asker;
hidden byte k;

#if N == 3
#define ANY_SHARER (sharer[0] || sharer[1] || sharer[2])
#elif N == 4
#define ANY_SHARER (sharer[0] || sharer[1] || sharer[2] || sharer[3])
#else
#define ANY_SHARER (sharer[0] || sharer[1] || sharer[2] || sharer[3] || sharer[4])
#endif

active proctype home()
{
end:
    do
    :: d_step { command == SHARED && !exclusive && answer[asker] == NONE ->
            answer[asker] = GIVE_SHARED; sharer[asker] = true; command = NONE; asker = 0 }
    :: d_step { command == EXCLUSIVE && !ANY_SHARER && answer[asker] == NONE ->
            answer[asker] = GIVE_EXCLUSIVE; sharer[asker] = true; exclusive = true; command = NONE; asker = 0 }
    od
}

active [N] proctype cache()
{
end:
    do
    :: d_step { request[I] == NONE && line[I] == NONE -> request[I] = SHARED }
    :: d_step { request[I] == NONE && line[I] != EXCLUSIVE -> request[I] = EXCLUSIVE }
    :: d_step { command == NONE && request[I] != NONE -> command = request[I]; request[I] = NONE; asker = I;
            k = 0;
            do :: k < N -> to_invalidate[k] = sharer[k]; k++ :: else -> break od;
            k = 0 }
    :: d_step { to_invalidate[I] && answer[I] == NONE && (command == EXCLUSIVE || command == SHARED && exclusive) ->
            answer[I] = INVALIDATE; to_invalidate[I] = false }
    :: d_step { answer[I] == INVALIDATE && !acknowledged[I] ->
            answer[I] = NONE; acknowledged[I] = true; line[I] = NONE }
    :: d_step { acknowledged[I] && command != NONE -> acknowledged[I] = false; sharer[I] = false; exclusive = false }
    :: d_step { answer[I] == GIVE_SHARED -> answer[I] = NONE; line[I] = SHARED }
    :: d_step { answer[I] == GIVE_EXCLUSIVE -> answer[I] = NONE; line[I] = EXCLUSIVE }
    od
}
