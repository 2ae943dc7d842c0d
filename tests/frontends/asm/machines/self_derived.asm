// Derived functions that speak of the agent that runs a rule.
asm self_derived
signature:
    domain Worker subsetof Agent
    domain Level subsetof Integer
    controlled level: Level
    controlled owner: Level -> Worker
    derived mine: Boolean
    derived next: Worker
    static w1: Worker
    static w2: Worker
    static other: Worker -> Worker
definitions:
    domain Level = {0..2}
    function other($w in Worker) = switch $w case w1: w2 case w2: w1 endswitch
    function next = other(self)
    function mine = owner(level) = self
    rule r_work =
        if mine then par owner(level) := next if level < 2 then level := level + 1 endif endpar
        else if isUndef(owner(level)) then owner(level) := self endif endif
    main rule r_Main = choose $w in Worker with true do program($w)
default init s0:
    function level = 0
    agent Worker: r_work[]
