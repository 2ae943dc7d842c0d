chan q = [1] of { bit, byte, short };
int a, b, c;
active proctype S() { q!3,300,70000; q!-1,-1,-1 }
active proctype R() { do :: q?a,b,c od }
