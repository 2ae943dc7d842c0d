// Outside its domain a function is undef, and so is what is undef itself as an argument.
asm elsewhere
signature:
    domain Place subsetof Integer
    domain Number subsetof Integer
    controlled alive: Place -> Boolean
    controlled at: Place
    controlled seen: Number
    static name: Place -> Number
definitions:
    domain Place = {1 : 3}
    domain Number = {0 : 3}
    function name($p in Place) = $p - 1
    main rule r_Main =
        par
            forall $p in Place with true do
                alive($p) := (isUndef(alive($p - 1)) or not alive($p - 1)) and isDef(alive($p))
            if isDef(name(at)) then seen := name(at) else seen := 3 endif
            if at = 3 then at := undef else if isUndef(at) then at := 1 else at := at + 1 endif endif
        endpar
default init s0:
    function alive($p in Place) = $p = 2
    function at = 1
    function seen = 0
