byte g;
proctype S() { g = 2 }
active proctype P() { byte x; if :: x > 1 -> run S() :: else -> g = 1 fi; goto over; run S(); over: g = 3 }
