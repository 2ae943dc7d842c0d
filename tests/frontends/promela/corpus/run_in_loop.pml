byte n; byte who[4];
proctype P(byte k) { who[k] = _pid; n++ }
init { byte i; do :: i < 3 -> run P(i); i++ :: else -> break od; n = 0 }
