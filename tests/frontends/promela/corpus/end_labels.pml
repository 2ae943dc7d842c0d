chan q = [1] of { byte };
active proctype S() { q!1; q!2 }
active proctype R() { byte v; end: do :: q?v -> end_of_it: v = 0 od }
