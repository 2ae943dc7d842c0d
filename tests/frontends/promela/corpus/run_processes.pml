byte n;
proctype P(byte k; bool up) { if :: up -> n = n + k :: !up -> n = n - k fi }
init { run P(1, true); run P(2, false); n++; run P(3, n > 0) }
