// Maps that change: entries are added, replaced and merged.
asm maps
signature:
    enum domain Key = {A | B | C}
    domain N subsetof Integer
    controlled m: Map(Key, N)
    controlled n: N
    monitored key: Key
definitions:
    domain N = {0 : 2}
    main rule r_Main =
        if isUndef(at(m, key)) then m := assign(m, key, n)
        else
            par
                m := merge(m, {A -> 1, C -> 2})
                n := if at(m, key) < 2 then at(m, key) + 1 else 0 endif
            endpar
        endif
default init s0:
    function m = {B -> 2}
    function n = 0
