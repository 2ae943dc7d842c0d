// xor, iff, implies, arithmetic and comparisons.
asm comparisons
signature:
    domain Value subsetof Integer
    controlled p: Boolean
    controlled q: Boolean
    controlled n: Value
definitions:
    domain Value = {-3 : 3}
    main rule r_Main =
        par
            p := (p xor q) implies (n < 0)
            q := p iff (abs(n) > 1)
            n := if n + 2 > 3 then -3 else n + 2 * 1 endif
        endpar
default init s0:
    function p = true
    function q = false
    function n = 0
