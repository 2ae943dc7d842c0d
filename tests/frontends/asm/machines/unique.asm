// Quantifiers: exist, forall, exist unique.
asm unique
signature:
    domain Cell subsetof Integer
    controlled on: Cell -> Boolean
    monitored cell: Cell
definitions:
    domain Cell = {0 : 3}
    main rule r_Main =
        if (exist unique $c in Cell with on($c)) then forall $c in Cell do on($c) := not on($c)
        else if (exist $c in Cell with on($c) and $c = cell) then on(cell) := false
        else on(cell) := true endif endif
default init s0:
    function on($c in Cell) = false
