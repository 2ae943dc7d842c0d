byte x;
active proctype p() { do :: x < 3 -> x++ :: x > 0 -> x-- od }
never { T0: do :: x == 3 -> goto accept :: true od; accept: do :: x == 3 od }
