mtype = { one };
mtype m = one;
active proctype P() { printf("%d %e %c %x %u %o\n", 1, m, 65, 16, 3, 8); printm(m) }
active proctype Q() { printf("plain\n") }
