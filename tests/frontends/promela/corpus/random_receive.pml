chan q = [4] of { byte, byte };
byte order;
active proctype S() { q!3,1; q!1,2; q!2,3; q!1,4 }
active proctype R() {
  byte v;
  do
  :: q??1,v -> order = order + v
  :: q??2,v -> order = order * 2
  :: q?3,v
  od
}
