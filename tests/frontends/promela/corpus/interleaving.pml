byte x;
active [3] proctype P() { byte t; t = x; t++; x = t }
