// Updates of one step happen together: two functions exchange their values.
asm swap
signature:
    domain Digit subsetof Integer
    controlled a: Digit
    controlled b: Digit
definitions:
    domain Digit = {0 : 9}
    main rule r_Main = par a := b b := a endpar
default init s0:
    function a = 3
    function b = 7
