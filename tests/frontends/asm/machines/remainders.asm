// Division rounds towards zero, and the remainder has the sign of the dividend.
asm remainders
signature:
    domain N subsetof Integer
    controlled n: N
    controlled half: N
    controlled rest: N
    controlled size: N
definitions:
    domain N = {-5 : 5}
    main rule r_Main =
        if n < 5 then
            par n := n + 1 half := idiv(n, 2) rest := n mod 3 size := abs(n) + min(n, 0) endpar
        endif
default init s0:
    function n = -5
    function half = 0
    function rest = 0
    function size = 0
