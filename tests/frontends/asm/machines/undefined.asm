// A location that was never set is undef, and may become undef again.
asm undefined
signature:
    domain Number subsetof Integer
    controlled guess: Number
    controlled owner: Number -> Boolean
definitions:
    domain Number = {0 : 2}
    main rule r_Main =
        if isUndef(guess) then guess := 0
        else
            par
                if guess = 2 then guess := undef else guess := guess + 1 endif
                if owner(guess) = undef then owner(guess) := guess > 0 else owner(guess) := undef endif
            endpar
        endif
default init s0:
