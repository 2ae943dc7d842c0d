// A rule that returns tuples, sets and any greatest value.
asm turbo
import StandardLibrary
signature:
	domain N subsetof Integer
	controlled a: N -> N
	controlled best: N
	controlled evens: Powerset(N)
	controlled where: Prod(N, N)
definitions:
	domain N = {0 : 1}
	turbo rule r_max in N = choose $i in N with (forall $j in N with a($i) >= a($j)) do result := a($i)
	turbo rule r_evens in Powerset(N) = result := {$i in N | a($i) mod 2 = 0}
	turbo rule r_where($v in N) in Prod(N, N) = choose $i in N with a($i) = $v do result := ($i, $v) ifnone result := (0, 0)
	main rule r_Main = seq
		choose $i in N, $v in N with true do a($i) := $v
		best <- r_max()
		evens <- r_evens()
		where <- r_where(best)
	endseq
	invariant over best: isUndef(best) or (forall $i in N with a($i) <= best)
default init s0:
	function a($i in N) = 0
