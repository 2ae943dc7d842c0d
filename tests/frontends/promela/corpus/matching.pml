chan q = [3] of { byte, byte };
byte last;
active proctype S() { q!1,5; q!2,6; q!1,7 }
active proctype R() {
  byte x = 1, y;
  do
  :: q?1,y -> last = y
  :: q?eval(x + 1),_ -> x = 3
  :: q?_,7
  od
}
