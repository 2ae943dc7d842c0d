// What is in brackets is put in the place of parameters: it may be a location to update, and means what it means there.
asm by_name
import StandardLibrary
signature:
    domain N subsetof Integer
    controlled x: N
    controlled y: N
    controlled f: N -> N
    monitored up: Boolean
definitions:
    domain N = {0 : 3}
    rule r_switch($l in N, $v in N) = if up then $l := $v endif
    rule r_pass($l in N) = r_switch[$l, ($l + 1) mod 4]
    rule r_later($v in N) = seq x := (x + 1) mod 4 y := $v endseq
    turbo rule r_before($v in N) = seq x := (x + 2) mod 4 y := $v endseq
    rule r_guarded($q in N) = if x != 0 then f(0) := $q endif
    main rule r_Main =
        par
            r_pass[f(y)]
            if up then r_later[x] else r_before(x) endif
            if y != 0 then r_guarded[6 mod x] endif
        endpar
default init s0:
    function x = 0
    function y = 0
    function f($n in N) = 0
