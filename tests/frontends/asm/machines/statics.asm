// Static functions are tables.
asm statics
signature:
    enum domain Colour = {RED | GREEN | AMBER}
    static after: Colour -> Colour
    static wait: Colour -> Integer
    controlled colour: Colour
    controlled waited: Integer
definitions:
    function after($c in Colour) = switch $c case RED: GREEN case GREEN: AMBER case AMBER: RED endswitch
    function wait($c in Colour) = if $c = AMBER then 1 else 3 endif
    //@ waited in {0 : 3}
    main rule r_Main =
        if waited >= wait(colour) then par colour := after(colour) waited := 0 endpar
        else waited := waited + 1 endif
default init s0:
    function colour = RED
    function waited = 0
