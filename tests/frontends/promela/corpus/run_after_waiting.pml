byte x, y;
proctype A() { x = 1 }
proctype B() { y = _pid; x = 2 }
init { atomic { run A(); x == 1; run B(); run A() }; x == 2 }
