// Numbers that are no integers: they are exact, and rounded only if the machine asks for that.
asm fractions
import StandardLibrary
signature:
    domain Level subsetof Real
    monitored cold: Boolean
    controlled level: Level
    controlled price: Real
    controlled steps: Integer
    controlled nearest: Integer
    derived mean: Real
definitions:
    domain Level = {0.0 : 2.0, 0.5}
    //@ price in {0.0 : 3.75, 0.25}
    //@ steps in {0 : 4}
    //@ nearest in {-2 : 2}
    function mean = (level + price) / 2
    main rule r_Main =
        par
            if cold then level := min(2.0, level + 0.5) else level := 0 endif
            if mean < 1.625 then price := price + 0.75 else price := 0.25 endif
            steps := rtoi(level / 0.5)
            nearest := round(level) - floor(mean)
        endpar
default init s0:
    function level = 0.5
    function price = 0.0
    function steps = 1
    function nearest = 0
