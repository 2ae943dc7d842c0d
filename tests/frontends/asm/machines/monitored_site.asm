// A monitored function with an argument, asked for at two locations that may be the same one.
asm monitored_site
signature:
    domain Port subsetof Integer
    domain Bit subsetof Integer
    monitored wire: Port -> Bit
    controlled at: Port
    controlled seen: Port -> Bit
definitions:
    domain Port = {0 : 2}
    domain Bit = {0 : 1}
    main rule r_Main =
        par
            if wire(at) = 1 then at := (at + 1) mod 3 endif
            seen(0) := wire(0)
        endpar
default init s0:
    function at = 0
    function seen($p in Port) = 0
