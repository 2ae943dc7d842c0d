// Rules with results; what a rule returns may depend on what it updated.
asm results
signature:
    domain N subsetof Integer
    controlled calls: N
    controlled x: N
    controlled y: N
    monitored big: Boolean
definitions:
    domain N = {0 : 9}
    turbo rule r_sum($a in N, $b in N) in Integer =
        seq
            calls := (calls + 1) mod 3
            result := $a
            if big then result := result + $b + calls endif
        endseq
    main rule r_Main =
        if x < 4 then par x <- r_sum(x, 1) y := x endpar endif
default init s0:
    function calls = 0
    function x = 0
    function y = 0
