// INVAR leaves out states: no step leads there.
asm left_out
signature:
    domain N subsetof Integer
    controlled x: N
    controlled y: N
    monitored up: Boolean
definitions:
    domain N = {0 : 3}
    INVAR not (x = 2 and y = 2)
    INVAR x + y < 6
    main rule r_Main = if up then x := (x + 1) mod 4 else y := (y + 1) mod 4 endif
default init s0:
    function x = 0
    function y = 0
