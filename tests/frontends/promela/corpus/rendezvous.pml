chan q = [0] of { byte };
byte got;
active [2] proctype S() { q!_pid + 1; q!7 }
active [2] proctype R() { byte v; do :: q?v -> got = v :: q?7 -> got = 0 od }
