byte g, h;
active proctype P() { { g = 1; h = 1; { h = 2; g = 2 } unless { h == 2; if :: g = 5; h = 4 :: g = 6 fi; g = 7 }; h = 5 } unless { h == 4; g = 2; g = 3 } }
active proctype Q() { h = 4; h = 0 }
