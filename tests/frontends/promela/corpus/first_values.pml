typedef Pair { byte left = 2; byte right[2] = 5 };
Pair pair;
byte limit = 4, room[3] = { 1, 2 };
byte taken;

active [2] proctype Walker() {
  byte me = _pid;
  byte other = 1 - me;
  byte most = limit + room[other] + pair.right[1] - pair.left;
  taken = most;
  taken == most -> limit = other
}

active proctype Again() {
  byte first = 2;
  byte second = first + limit;
  room[0] = second
}

init {
  limit = 7;
  run Again()
}
