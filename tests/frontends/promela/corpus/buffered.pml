chan q = [2] of { byte };
active proctype S() { byte i; do :: i < 4 -> q!i; i++ :: else -> break od }
active proctype R() { byte v, n; do :: q?v -> n = n + v :: n == 6 -> break od }
