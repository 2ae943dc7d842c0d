byte a, b;
active proctype A() { do :: a < 3 -> a++ :: a == 3 -> a = 0 od }
active proctype B() { do :: b < 3 -> b++ :: b == 3 -> b = 0 od }
ltl both { [] <> (a == 3) && [] <> (b == 3) }
ltl resp { [] (a == 1 -> <> (a == 2)) }
ltl until_ { (b < 3) U (b == 3) }
ltl weak { (a < 3) W (a == 3) }
ltl release { (a == 3) V (b <= 3) }
ltl strict { <> [] (a == b) }
