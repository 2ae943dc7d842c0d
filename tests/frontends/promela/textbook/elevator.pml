#define FLOORS 3
bool call[FLOORS];
byte floor;
bool open;
mtype = { up, down };
mtype direction = up;
active proctype Elevator() {
  do
  :: call[floor] -> open = true; call[floor] = false; open = false
  :: !call[floor] ->
     if
     :: direction == up && floor < FLOORS - 1 -> floor++
     :: direction == up && floor == FLOORS - 1 -> direction = down
     :: direction == down && floor > 0 -> floor--
     :: direction == down && floor == 0 -> direction = up
     fi
  od
}
active proctype People() {
  byte f;
  do
  :: select(f : 0 .. FLOORS - 1); call[f] = true
  od
}
ltl served { [] (call[1] -> <> (open && floor == 1)) }
