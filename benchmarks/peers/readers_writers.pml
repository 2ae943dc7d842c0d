/* The readers and writers of models/readers_writers.py (class ReadersWriters): the same states, the same edges.
 * -DN=3 sets the number of readers and of writers.
 *
 * What someone does is where its process is. `reading` and `writing` are redundant and so add no state. Every other
 * place than `end_done` to stand still at is a deadlock to SPIN.
 */
#ifndef N
#define N 2
#endif

#define ALONE assert(writing == 0 || writing == 1 && reading == 0)

byte inside;
bool counter_locked;
bool room_locked;
byte reading;
byte writing;

active [N] proctype reader()
{
    byte seen;
    do
    :: d_step { !counter_locked -> counter_locked = true; seen = inside };
       if
       :: d_step { seen == 0 -> inside = 1 };
          d_step { !room_locked -> room_locked = true; counter_locked = false; reading++; ALONE }
       :: d_step { seen > 0 -> inside = seen + 1; counter_locked = false; seen = 0; reading++; ALONE }
       fi;
       d_step { !counter_locked -> counter_locked = true; seen = inside; reading-- };
       d_step {
           inside = seen - 1;
           if
           :: seen == 1 -> room_locked = false
           :: else
           fi;
           seen = 0;
           counter_locked = false
       }
    :: true -> break
    od;
end_done:
    false
}

active [N] proctype writer()
{
    do
    :: d_step { !room_locked -> room_locked = true; writing++; ALONE };
       d_step { room_locked = false; writing-- }
    :: true -> break
    od;
end_done:
    false
}
