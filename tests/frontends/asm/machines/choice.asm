// choose takes any element that the guard lets it take.
asm choice
signature:
    domain Level subsetof Integer
    controlled level: Level
definitions:
    domain Level = {0 : 6}
    main rule r_Main = choose $n in Level with $n > level and $n <= level + 2 do level := $n ifnone level := 0
default init s0:
    function level = 0
