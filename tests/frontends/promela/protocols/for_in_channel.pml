typedef Item { byte v; bit on };
chan q = [3] of { Item }; byte total;
active proctype P() {
  Item m; byte i;
  for (i : 1 .. 3) { m.v = i; m.on = i % 2; q!m };
  for (m in q) { total = total + m.v * m.on };
  assert(total == 4)
}
active proctype Q() { Item m; len(q) == 3; q?m }
