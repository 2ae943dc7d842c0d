byte lock, acc;
inline grab(l) { atomic { l == 0 -> l = 1 } }
inline drop(l) { l = 0 }
inline add(v, k) { grab(lock); v = v + k; drop(lock) }
inline both(v) { add(v, 1); add(v, 2) }
active [3] proctype P() { both(acc); if :: _pid == 2 -> both(acc) :: else fi }
