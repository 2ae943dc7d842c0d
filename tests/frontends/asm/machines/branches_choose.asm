// Choices in branches that exclude each other.
asm branches_choose
signature:
    enum domain Mood = {CALM | WILD}
    domain Place subsetof Integer
    controlled mood: Mood
    controlled place: Place
definitions:
    domain Place = {0 : 4}
    main rule r_Main =
        if mood = CALM then
            choose $p in Place with $p = place or $p = place + 1 do par place := $p mood := WILD endpar
        else
            choose $p in Place with true do par place := $p if $p < 2 then mood := CALM endif endpar
        endif
default init s0:
    function mood = CALM
    function place = 0
