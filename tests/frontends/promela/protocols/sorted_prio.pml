chan q = [3] of { byte, byte };
byte last;
active proctype Put() { q!!3,0; q!!1,1; q!!2,2; q!!1,0 }
active proctype Get() {
  byte k, x, n;
  do :: n < 4 -> q?k,x; n++; last = k :: n == 4 -> break od
}
