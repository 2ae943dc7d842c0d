// A function whose values are tuples, and a pattern for them.
asm tuples
signature:
    enum domain Side = {LEFT | RIGHT}
    domain Size subsetof Integer
    controlled pair: Prod(Side, Size)
    monitored wish: Prod(Side, Size)
definitions:
    domain Size = {0 : 2}
    main rule r_Main =
        if pair = wish then pair := (LEFT, 0)
        else let (($s, $n) = wish) in if $n > 0 then pair := ($s, $n) endif endlet endif
default init s0:
    function pair = (LEFT, 0)
