byte g, h;
active proctype P() { atomic { g = 1; timeout; if :: skip; g = 3 :: h != 3; skip :: g = h :: else -> h = 1 fi } }
active proctype Q() { h = 2; g == 3; h = 3 }
