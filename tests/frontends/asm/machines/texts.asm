// Strings and characters are elements: those that the machine mentions.
asm texts
signature:
    enum domain Key = {YES | NO}
    monitored key: Key
    monitored word: String
    controlled message: String
    controlled letter: Char
definitions:
    //@ word in {"stop", "go"}
    main rule r_Main =
        par
            if key = YES then message := word else message := "wait" endif
            if message = "stop" then letter := 's' else letter := 'x' endif
        endpar
default init s0:
    function message = "wait"
    function letter = 'x'
