chan q = [4] of { byte, byte };
byte a, b;
active [2] proctype S() { q!!3 - _pid,1; q!!_pid,2; q!!1,_pid }
active proctype R() { do :: q?a,b od }
