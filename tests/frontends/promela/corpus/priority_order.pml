byte x;
active proctype lo() priority 1 { x = 1; x = 2; x = 3 }
active proctype hi() priority 5 { x == 2 -> x = 7 }
