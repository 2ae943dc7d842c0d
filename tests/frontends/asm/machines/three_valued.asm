// Operators of logic and comparisons of what is undef: undef, unless the rest decides.
asm three_valued
import StandardLibrary
signature:
    domain Level subsetof Integer
    controlled known: Boolean
    controlled open: Boolean
    controlled level: Level
    controlled denied: Boolean
    controlled both: Boolean
    controlled one: Boolean
    controlled follows: Boolean
    controlled alike: Boolean
    controlled other: Boolean
    controlled below: Boolean
    controlled called: Boolean
    controlled taken: Boolean
    monitored said: Boolean
    monitored forgets: Boolean
definitions:
    domain Level = {0 : 2}
    main rule r_Main =
        par
            known := said
            if forgets then par open := undef level := undef endpar else par open := said level := 1 endpar endif
            denied := not open
            both := known and open
            one := open or known
            follows := open implies known
            alike := open iff known
            other := open xor known
            below := not (level < 1)
            called := not(level >= 1)
            taken := if not open then true else false endif
        endpar
default init s0:
    function known = false
