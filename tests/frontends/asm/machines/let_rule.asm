// let gives a name to a value of the state before.
asm let_rule
signature:
    domain Value subsetof Integer
    controlled a: Value
    controlled b: Value
definitions:
    domain Value = {0 : 4}
    main rule r_Main =
        let ($sum = a + b, $next = ($sum + 1) mod 5) in
            par a := b b := $next endpar
        endlet
default init s0:
    function a = 0
    function b = 1
