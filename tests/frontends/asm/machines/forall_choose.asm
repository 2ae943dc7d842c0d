// A choice for each element of a domain.
asm forall_choose
signature:
    domain Who subsetof Integer
    domain What subsetof Integer
    controlled has: Who -> What
definitions:
    domain Who = {0 : 2}
    domain What = {0 : 2}
    main rule r_Main =
        forall $w in Who with has($w) < 2 do
            choose $x in What with $x >= has($w) and $x <= has($w) + 1 do has($w) := $x
default init s0:
    function has($w in Who) = 0
