// Each element of a domain makes one of another, all in one step.
asm extend_loop
signature:
    enum domain Side = {LEFT | MIDDLE | RIGHT}
    dynamic abstract domain Mark
    controlled side: Mark -> Side
    controlled newest: Side -> Mark
    controlled done: Boolean
    monitored skipped: Side
definitions:
    //@ size(Mark) in {0 : 3}
    main rule r_Main =
        if not done then
            par
                forall $s in Side with $s != skipped do
                    extend Mark with $m do par side($m) := $s newest($s) := $m endpar
                done := true
            endpar
        endif
default init s0:
    function done = false
