// Agents of which one moves in a step.
asm interleaved
signature:
    domain Person subsetof Agent
    enum domain Doing = {REST | WANT | WORK}
    controlled doing: Person -> Doing
    static anna: Person
    static ben: Person
definitions:
    rule r_live =
        switch doing(self)
            case REST: doing(self) := WANT
            case WANT: if (forall $p in Person with doing($p) != WORK) then doing(self) := WORK endif
            case WORK: doing(self) := REST
        endswitch
    invariant inv_alone over doing: not (doing(anna) = WORK and doing(ben) = WORK)
    main rule r_Main = choose $p in Person with true do program($p)
default init s0:
    function doing($p in Person) = REST
    agent Person: r_live[]
