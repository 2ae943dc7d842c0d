byte x;
active [2] proctype P() { x = x + 1; x = x + 2 }
never { do :: x < 6 :: x == 6 -> break od }
