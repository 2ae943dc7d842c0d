// Locations that belong to a call: each call has its own, also if a rule calls itself.
asm local_functions
signature:
    domain N subsetof Integer
    controlled tmp: N
    controlled x: N
    controlled y: N
    monitored up: Boolean
definitions:
    domain N = {0 : 24}
    rule r_more($l in N) = $l := $l + 1
    turbo rule r_exchange($a in N) =
        local tmp: N [tmp := $a]
        local kept: N [kept := y]
        seq
            if up then r_more[tmp] endif
            par tmp := tmp + 1 y := tmp endpar
            x := kept + tmp
        endseq
    turbo rule r_factorial($n in N) in Integer =
        local f: Integer [f := 1]
        if $n < 2 then result := 1 else seq f <- r_factorial($n - 1) result := $n * f endseq endif
    main rule r_Main =
        if x < 3 then r_exchange(x) else if x < 6 then par x <- r_factorial(4) r_factorial(3) endpar else x := tmp endif endif
default init s0:
    function tmp = 2
    function x = 0
    function y = 1
