// Where a process may have to wait inside an atomic sequence, and where it cannot.
chan q = [1] of { short, byte };
chan meet = [0] of { byte };
byte x;

active proctype P() {
  byte k;
  do
  :: atomic {
       k < 2 -> x = k;
       if
       :: x == 0 -> k++
       :: x != 0 -> k = k + 1
       fi;
       q!x,k;
       d_step { x++; x-- };
       if
       :: x == 1
       :: len(q) == 0
       fi;
       meet!k;
       x = 2
     }
  :: else -> break
  od
}

active proctype Q() {
  short a;
  byte b;
  do
  :: atomic {
       q?a,b;
       if
       :: a > 0 -> b = 1
       :: a <= 0 -> b = 0
       fi;
       printf("got %d\n", b)
     }
  :: meet?b
  :: timeout -> break
  od
}
