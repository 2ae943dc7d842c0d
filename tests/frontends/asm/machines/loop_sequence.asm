// A sequence in a loop: no round sees what the round before has updated.
asm loop_sequence
signature:
    domain N subsetof Integer
    controlled t: N -> N
    controlled u: N -> N
    controlled last: N
    monitored m: N
definitions:
    domain N = {0 : 2}
    main rule r_Main =
        par
            forall $x in N with $x <= m do
                seq
                    if u($x) = $x then t(0) := 1 endif
                    u($x) := (t(0) + u($x)) mod 3
                endseq
            last := m
        endpar
default init s0:
    function t($x in N) = 0
    function u($x in N) = $x
    function last = 0
