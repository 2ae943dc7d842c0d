/* Braces around an unless make its escapes one, so that both can be taken, as SPIN copies them. */
byte g, h;
active [2] proctype Q() {
  byte x;
  { { { h != 1 } unless { h < 3 }; x = g % 4 } unless { g != 2; g = 1 } };
  h = 3;
  skip
}
