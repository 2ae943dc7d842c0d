mtype = { hello };
byte x;
active [2] proctype P() { printf("x = %d\n", x); x++; printm(hello); printf("done\n") }
