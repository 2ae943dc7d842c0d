byte x;
proctype A() { byte k = 1; k++; L: k++; x++ }
proctype B() { x++; x++ }
init {
  if :: run B(); run A() :: run A(); run B() fi;
  if :: A@L -> x = 5 :: x == 3 -> x = 6 fi;
  end: A@L
}
