byte token;
proctype P(byte k) provided (token == _pid - 1) { byte i; do :: i < 2 -> i++; token = (token + 1) % 2 :: else -> break od }
init { atomic { run P(0); run P(1) } }
