// A number that goes round, with the operator mod.
asm counter
signature:
    domain Hour subsetof Integer
    controlled hour: Hour
definitions:
    domain Hour = {0 : 11}
    invariant inv_half over hour: hour div 2 <= 5
    main rule r_Main = hour := (hour + 5) mod 12
default init s0:
    function hour = 0
