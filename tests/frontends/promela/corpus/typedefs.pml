typedef Point { byte x; short y };
typedef Line { Point ends[2]; bit on };
Line l[2]; Point p;
active proctype P() {
  byte i;
  do
  :: i < 2 -> l[i].ends[1].x = i + 1; l[i].ends[i].y = -i; l[i].on = 1; i++
  :: else -> break
  od;
  p.x = l[1].ends[1].x
}
active proctype Q() { p.y = 3; p.x = 250 }
