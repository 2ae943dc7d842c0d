byte last;
proctype C(byte d) { last = d }
init { pid a, b; a = run C(1); b = run C(2); assert(b == a + 1); (_nr_pr == 1); if :: run C(3) :: skip fi; (_nr_pr == 1); assert(last != 0) }
