// Rules with parameters that call rules.
asm calls
signature:
    domain Index subsetof Integer
    controlled count: Index -> Index
    monitored which: Index
definitions:
    domain Index = {0 : 2}
    rule r_set($i in Index, $v in Index) = count($i) := $v
    rule r_bump($i in Index) = if count($i) < 2 then r_set[$i, count($i) + 1] else r_set[$i, 0] endif
    main rule r_Main = par r_bump[which] if which = 2 then r_set[0, count(1)] endif endpar
default init s0:
    function count($i in Index) = 0
