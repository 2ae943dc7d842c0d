// Rules are values: of functions without and with arguments, of variables, with parameters of their own.
asm rules_as_values
import StandardLibrary
signature:
    domain N subsetof Integer
    controlled n: N
    controlled next: Rule
    controlled by: N -> Rule(Integer)
    monitored turned: Boolean
definitions:
    domain N = {0 : 2}
    rule r_up($d in Integer) = n := min(n + $d, 2)
    rule r_down($d in Integer) = n := max(n - $d, 0)
    rule r_rest = by(0) := <<r_up(Integer)>>
    rule r_turn = if turned then by(n) := <<r_down(Integer)>> endif
    rule r_twice($r in Rule(Integer)) = if n = 1 then $r[2] else $r[1] endif
    main rule r_Main =
        par
            next
            r_twice[by(n)]
            next := if n = 2 then <<r_turn>> else <<r_rest>> endif
        endpar
default init s0:
    function n = 0
    function next = <<r_rest>>
    function by($n in N) = <<r_up(Integer)>>
