// switch, with otherwise.
asm switch_rule
signature:
    domain Phase subsetof Integer
    controlled phase: Phase
    monitored jump: Boolean
definitions:
    domain Phase = {0 : 5}
    main rule r_Main =
        switch phase
            case 0: phase := 1
            case 1: if jump then phase := 4 else phase := 2 endif
            case 2: phase := 3
            otherwise phase := phase - 1
        endswitch
default init s0:
    function phase = 0
