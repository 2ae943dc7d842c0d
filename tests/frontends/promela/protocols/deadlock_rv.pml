chan x = [0] of { bit }; chan y = [0] of { bit };
active proctype A() { x!1; y?_ }
active proctype B() { y!1; x?_ }
active proctype C() { byte k; do :: k < 3 -> k++ :: k == 3 -> break od }
