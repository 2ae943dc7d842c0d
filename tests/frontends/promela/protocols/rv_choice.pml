chan a = [0] of { byte }; chan b = [0] of { byte }; byte got;
active proctype S() { do :: a!1 :: b!2 :: a!3 -> break od }
active proctype R() { byte x; do :: a?x -> got = x; if :: x == 3 -> break :: else fi :: b?x -> got = x od }
active proctype T() { byte y; if :: b?y :: a?eval(y + 1) fi }
