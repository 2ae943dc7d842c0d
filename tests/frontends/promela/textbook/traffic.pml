mtype = { RED, GREEN, YELLOW };
mtype ns = RED, ew = RED;
inline cycle(mine, other) {
  do
  :: atomic { other == RED && mine == RED -> mine = GREEN }
     mine = YELLOW;
     mine = RED
  od
}
active proctype NS() { cycle(ns, ew) }
active proctype EW() { cycle(ew, ns) }
ltl safe { [] (ns == RED || ew == RED) }
ltl live { [] <> (ns == GREEN) }
