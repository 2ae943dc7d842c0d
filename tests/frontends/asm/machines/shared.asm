// A shared function: rules may set it, and if they do not, the environment may.
asm shared_flag
signature:
    enum domain Light = {GREEN | AMBER | RED}
    shared light: Light
    controlled waits: Boolean
definitions:
    main rule r_Main = if light = AMBER then par light := RED waits := true endpar else waits := false endif
default init s0:
    function light = GREEN
    function waits = false
