byte x;
active [2] proctype P() {
  byte a = 2;
  x = a;
  byte b = x + 1;
  { byte d = 7, e; x = d + b };
  do :: byte c = 3; x = x + c; break od;
  x = a
}
