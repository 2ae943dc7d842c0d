byte x;
active proctype P() {
  goto mid;
top: x++; if :: x > 4 -> goto out :: else fi;
mid: if :: x < 2 -> x = x + 2; goto top :: x >= 2 -> atomic { x++; goto top } fi;
out: do :: x > 0 -> x--; if :: x == 3 -> goto end_here :: else fi :: else -> break od;
end_here: x == 100
}
active proctype Q() { x == 3; x = 1 }
