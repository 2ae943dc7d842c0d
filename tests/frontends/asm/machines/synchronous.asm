// Agents that all move in each step, of two kinds.
asm synchronous
signature:
    domain Producer subsetof Agent
    domain Consumer subsetof Agent
    domain Amount subsetof Integer
    controlled made: Producer -> Amount
    controlled eaten: Amount
    static p1: Producer
    static p2: Producer
    static c1: Consumer
    monitored works: Producer -> Boolean
definitions:
    domain Amount = {0 : 2}
    rule r_make = if works(self) and made(self) < 2 then made(self) := made(self) + 1 endif
    rule r_eat = eaten := max(made(p1), made(p2))
    main rule r_Main = forall $a in Agent with true do program($a)
default init s0:
    function made($p in Producer) = 0
    function eaten = 0
    agent Producer: r_make[]
    agent Consumer: r_eat[]
