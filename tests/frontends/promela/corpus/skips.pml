/* Of several skips in a row, options of a choice keep the first. */
byte x;
active proctype A() { skip; skip; x = 1; if :: skip; skip; skip; x = 2 :: x == 5; skip; skip fi; { skip; skip; x = 3 } }
active proctype B() { x = 5; x = 6 }
