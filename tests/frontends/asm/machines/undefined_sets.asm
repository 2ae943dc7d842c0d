// Sets and sequences that have no value yet, or lose it.
asm undefined_sets
signature:
    enum domain Who = {A | B}
    domain N subsetof Integer
    controlled bag: Who -> Powerset(N)
    controlled list: Seq(N)
    controlled empty: Boolean
    controlled count: N
    monitored who: Who
    monitored drop: Boolean
definitions:
    domain N = {0 : 2}
    //@ length(list) in {0 : 2}
    main rule r_Main =
        par
            if isUndef(bag(who)) then bag(who) := {} else if size(bag(who)) < 2 then bag(who) := including(bag(who), size(bag(who))) endif endif
            if drop then list := undef else if isUndef(list) then list := [1] else list := [] endif endif
            empty := isEmpty(bag(A)) or isEmpty(list)
            count := if size(bag(B)) = 2 then undef else size(bag(B)) endif
            if size(bag(who)) = 2 then bag(who) := undef endif
        endpar
default init s0:
    function empty = false
    function count = 0
    function bag($w in Who) = if $w = A then {1} endif
