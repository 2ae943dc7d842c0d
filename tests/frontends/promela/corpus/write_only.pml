/* `_` can only be written to, which is a step. */
byte x, made;
proctype Q() { made++ }
active proctype P() { x = 3; _ = x + 1; _ = run Q(); x = 0 }
active proctype R() { do :: x > 0 -> x = 0; _ = 0 :: x == 0 -> break od }
