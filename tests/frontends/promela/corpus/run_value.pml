pid a, b; byte x;
proctype P() { x = x + _pid }
init { a = run P(); b = run P(); x = a + b }
