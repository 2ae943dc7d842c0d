byte floor; bool called[3]; byte open;
active [2] proctype Person() { byte f = _pid + 1; called[f] = true; (open == f); assert(floor == f) ; called[f] = false; open = 0 }
active proctype Lift() {
end: do
  :: open == 0 && called[floor] -> open = floor
  :: open == 0 && !called[floor] && floor < 2 -> floor++
  :: open == 0 && !called[floor] && floor > 0 -> floor--
  od
}
