// seq: each rule sees the updates of those before it, and the rest of the step sees only the outcome.
asm sequence_rule
signature:
    domain Value subsetof Integer
    controlled x: Value
    controlled y: Value
    controlled z: Value
    monitored up: Boolean
definitions:
    domain Value = {0 : 7}
    main rule r_Main =
        par
            seq
                if up then x := (x + 1) mod 8 endif
                y := x
                x := (x + y) mod 8
            endseq
            z := x
        endpar
default init s0:
    function x = 1
    function y = 0
    function z = 0
