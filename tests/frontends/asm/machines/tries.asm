// A rule that gives a location two values is left out, and another one fires: only the locations behind catch count.
asm tries
signature:
    domain N subsetof Integer
    controlled x: N
    controlled y: N
    controlled failed: N
    controlled seat: N -> N
    monitored one: N
    monitored other: N
definitions:
    domain N = {0 : 2}
    rule r_two($a in N, $b in N) = par seat($a) := 1 seat($b) := 2 endpar
    main rule r_Main =
        par
            if one != other or one < 2 then
                try r_two[one, other] catch seat(0), seat(1) failed := (failed + 1) mod 3
            endif
            try par if one = 0 then x := other endif x := one endpar catch x x := 2
            try par seq y := 1 y := 2 endseq y := 2 endpar catch y y := 0
        endpar
default init s0:
    function x = 0
    function y = 1
    function failed = 0
    function seat($n in N) = 0
