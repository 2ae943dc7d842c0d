byte x;
active proctype P() { atomic { x = 1; timeout -> x = 2; x = 3 } }
active proctype Q() { x > 0; x = 5; x == 3; x = 0 }
