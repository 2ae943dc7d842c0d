byte x;
active proctype Good() { do :: x < 3 -> x++; progress_a: skip :: x == 3 -> x = 0 od }
active proctype Bad() { byte k; do :: k = 1 - k od }
