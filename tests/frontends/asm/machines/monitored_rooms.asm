// A monitored function with an argument, asked for in a loop.
asm monitored_rooms
signature:
    abstract domain Room
    monitored pressed: Room -> Boolean
    controlled lit: Room -> Boolean
    static kitchen: Room
    static hall: Room
    static attic: Room
definitions:
    main rule r_Main = forall $r in Room with pressed($r) do lit($r) := not lit($r)
default init s0:
    function lit($r in Room) = false
