byte x;
active proctype p() {
L: { x = 1; x = 2 } unless { x == 5 -> x = 6 };
   if :: x == 2 -> goto L :: x = 9 fi
}
active proctype q() { x = 5 }
