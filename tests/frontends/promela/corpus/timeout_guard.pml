chan q = [1] of { byte };
byte lost;
active proctype S() { do :: q!1; if :: q?_ -> lost++ :: skip fi :: lost == 3 -> break od }
active proctype R() { byte v; do :: q?v :: timeout -> lost = 0; break od }
