chan q = [2] of { byte };
byte seen, v;
active proctype S() { q!4; q!5 }
active proctype R() {
  do
  :: q?<v> -> seen = v
  :: q?v -> seen = 0
  :: q??<5>
  od
}
