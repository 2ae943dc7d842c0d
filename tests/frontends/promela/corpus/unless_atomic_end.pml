/* The step that leaves an atomic sequence after a choice has no escapes. */
byte g, x;
chan c = [1] of { byte };
active [2] proctype P() {
  {
    x == 0;
    atomic { c!1; if :: x == 7 :: g = 3 :: g = 0 fi };
    x = 2; c!1
  } unless {
    atomic { g > 0; c!3 };
    g = 0
  }
}
active proctype Q() { end: do :: c?_ od }
