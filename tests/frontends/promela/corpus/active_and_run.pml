byte x;
proctype Q(byte k) { x = k }
active [2] proctype P() { x++; run Q(_pid) }
