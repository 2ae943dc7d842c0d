byte x;
active proctype P() { do :: x = 1; progress: x = 0 od }
active proctype Q() { do :: x = 2 :: break od }
