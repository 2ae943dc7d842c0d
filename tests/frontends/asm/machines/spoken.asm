// Texts that are made of constants, and functions of texts.
asm spoken
import StandardLibrary
signature:
    enum domain Door = {OPEN | SHUT}
    controlled door: Door
    controlled message: String
    controlled long: Boolean
    monitored push: Boolean
definitions:
    rule r_say($what in String) = message := $what
    main rule r_Main =
        par
            if push then
                if door = OPEN then par door := SHUT r_say[concat("door ", "shut")] endpar
                else par door := OPEN message := "door" + " open" endpar endif
            endif
            long := message = "door" + " open" or message = "idle"
        endpar
default init s0:
    function door = SHUT
    function message = "idle"
    function long = false
