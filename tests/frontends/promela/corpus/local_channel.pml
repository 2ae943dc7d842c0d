byte x;
proctype P(byte k) { chan own = [2] of { byte }; byte v; own!k; own!k + 1; own?v; x = v }
init { run P(1); run P(5) }
