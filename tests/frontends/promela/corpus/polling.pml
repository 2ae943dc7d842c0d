chan q = [2] of { byte, byte };
byte x;
active proctype S() { q!1,2; q!3,4 }
active proctype R() {
  byte v;
  do
  :: q?[1,v] -> x = 1; q?1,v
  :: q??[3,_] -> x = 2
  :: x == 2 -> break
  od
}
