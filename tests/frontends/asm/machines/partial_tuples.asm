// Tuples with parts that are undef, beside one that was never set.
asm partial_tuples
signature:
    enum domain Side = {LEFT | RIGHT}
    domain Size subsetof Integer
    controlled pair: Prod(Size, Side)
    controlled kept: Side -> Prod(Side, Prod(Size, Size))
    controlled size: Size
definitions:
    domain Size = {0 : 1}
    main rule r_Main =
        choose $s in Side with isUndef(kept($s)) do
            par
                kept($s) := (if isDef(pair) then $s else undef endif, (size, undef))
                size := 1
            endpar
        ifnone
            choose $t in Side with true do
                switch kept($t)
                    case (undef, (undef, undef)): kept($t) := undef
                    case (LEFT, _): par kept($t) := (undef, (undef, undef)) pair := (undef, $t) endpar
                    otherwise pair := if isUndef(first(pair)) then (size, undef) else undef endif
                endswitch
default init s0:
    function pair = (undef, LEFT)
