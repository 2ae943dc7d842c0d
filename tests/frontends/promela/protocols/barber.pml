mtype = { sit, cut, leave };
chan chairs = [1] of { pid };
chan served[4] = [0] of { mtype };
byte lost, shorn;
active [3] proctype Customer() {
  if
  :: chairs!_pid -> served[_pid]?cut; shorn++
  :: full(chairs) -> lost++
  fi
}
active proctype Barber() {
  pid who;
end: do :: chairs?who -> served[who]!cut od
}
