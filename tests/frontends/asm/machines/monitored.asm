// A monitored function has a new value in each step, the same wherever a step asks for it.
asm monitored
signature:
    domain Key subsetof Integer
    monitored key: Key
    controlled last: Key
    controlled twice: Key
definitions:
    domain Key = {0 : 3}
    main rule r_Main =
        par
            if key > 0 then last := key endif
            if key < 3 then twice := key + 1 else twice := key endif
        endpar
default init s0:
    function last = 0
    function twice = 0
