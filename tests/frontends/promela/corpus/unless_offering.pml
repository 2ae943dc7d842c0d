byte h;
chan c = [0] of { byte };
active proctype P() {
  byte x;
  { x = 1; x = 2; x = 3 } unless { if :: h == 0 -> x = 7 :: c!x fi };
  { { x = 4 } unless { if :: h == 1 -> x = 8 :: c!x fi }; x = 5 } unless { h == 2 -> x = 9 }
}
active proctype Q() { byte y; h = 1; if :: c?y :: h = 2; h = 0 fi }
