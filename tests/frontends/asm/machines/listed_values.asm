// Constraints that list sets and sequences, also for each argument.
asm listed_values
import StandardLibrary
signature:
  domain N subsetof Integer
  controlled s: Powerset(N)
  controlled q: N -> Seq(Integer)
  monitored x: N
definitions:
  domain N = {0 : 2}
  //@ s in {{}, {0}, {0, 1}}
  //@ q($x) in {[], [$x], [$x, $x + 1]}
  main rule r_Main = par
     if x = 0 then s := {0} else if x = 1 then s := if contains(s, 0) then {0, 1} else {} endif else s := {} endif endif
     q(x) := if length(q(x)) = 0 then [x] else if length(q(x)) = 1 then append(q(x), x + 1) else [] endif endif
   endpar
default init s0:
  function s = {0}
  function q($x in N) = []
