// New elements, in parallel and in sequence; some of them get others as friends.
asm extend
signature:
    dynamic abstract domain Guest
    static host: Guest
    controlled friend: Guest -> Guest
    controlled last: Guest
    controlled greeted: Guest -> Boolean
    monitored two: Boolean
definitions:
    //@ size(Guest) in {0 : 4}
    rule r_enter = extend Guest with $g do par friend($g) := last last := $g endpar
    main rule r_Main =
        if size(Guest) < 3 then
            if two then
                seq
                    r_enter[]
                    extend Guest with $h do friend($h) := last
                    forall $g in Guest with true do greeted($g) := true
                endseq
            else r_enter[] endif
        endif
default init s0:
    function last = host
    function friend($g in Guest) = host
