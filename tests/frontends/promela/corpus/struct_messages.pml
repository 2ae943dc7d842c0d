typedef Msg { byte kind; short value };
chan q = [2] of { Msg, byte };
short got;
active proctype S() { Msg m; m.kind = 1; m.value = -5; q!m,3; m.value = 8; q!m,4 }
active proctype R() { Msg m; byte k; do :: q?m,k -> got = m.value + k od }
