// A d_step that begins with a receive by rendezvous takes the message and does the rest; of several, the first that can.
chan c = [0] of { byte, bit };
chan d[2] = [0] of { byte };
byte x, y, z;

active proctype Sender() {
  do
  :: c!1, 1
  :: c!2, 0
  :: d[z]!2
  :: z = 1 - z
  :: atomic { c!3, 1; d[0]!1 }
  od
}

active proctype Receiver() {
  byte a;
  bit b;
  do
  :: d_step { c?1, b; x = x + b; if :: x > 2 -> x = 0 :: else fi }
  :: atomic {
       d_step { if :: c?2, b -> y = 1 :: c?a, 1 -> y = a :: c?a, b -> y = 7 fi };
       z = 0;
       d[1]?a
     }
  :: { d_step { d[1]?a; y = 2 } } unless { d_step { d[0]?a; y = 3 } }
  od
}
