// A derived function, with a quantifier.
asm derived
signature:
    domain Seat subsetof Integer
    controlled taken: Seat -> Boolean
    derived full: Boolean
    derived free: Seat -> Boolean
definitions:
    domain Seat = {1 : 4}
    function full = (forall $s in Seat with taken($s))
    function free($s in Seat) = not taken($s)
    main rule r_Main =
        if full then forall $s in Seat with $s mod 2 = 0 do taken($s) := false
        else choose $s in Seat with free($s) do taken($s) := true endif
default init s0:
    function taken($s in Seat) = false
