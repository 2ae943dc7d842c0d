chan q = [2] of { byte };
byte n;
active proctype S() {
  do
  :: nfull(q) -> q!len(q)
  :: full(q) -> n = len(q)
  od
}
active proctype R() {
  byte v;
  do
  :: nempty(q) -> q?v
  :: empty(q) && n > 0 -> n = 0
  od
}
