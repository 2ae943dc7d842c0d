byte x;
active proctype P() { x == 1; x = 2 }
active proctype Q() { x = 1; skip }
never { do :: !enabled(0) :: enabled(0) -> break od }
