// A machine that does nothing.
asm skip
signature:
    controlled x: Boolean
definitions:
    main rule r_Main = skip
default init s0:
    function x = false
