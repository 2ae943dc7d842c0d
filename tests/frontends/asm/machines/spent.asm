asm spent
// A step that has nothing to choose from asks for nothing; what a choice takes away leaves no range.
import StandardLibrary
import CTLLibrary
signature:
    enum domain Drink = {TEA | MILK}
    domain Left subsetof Integer
    domain Barman subsetof Agent
    controlled left: Drink -> Left
    controlled busy: Prod(Barman, Drink) -> Boolean
    monitored open: Boolean
    static ann: Barman
    static bob: Barman
definitions:
    domain Left = {0 : 2}
    rule r_serve =
        choose $d in Drink with left($d) > 0 do par left($d) := left($d) - 1 self.busy($d) := not self.busy($d) endpar
        ifnone forall $d in Drink do self.busy($d) := false
    CTLSPEC ag(left(TEA) = 0 implies left(MILK) > 0 implies ef(left(MILK) = 0))
    main rule r_Main = if open then choose $b in Barman with not busy($b, TEA) do program($b) endif
default init s0:
    function left($d in Drink) = 2
    function busy($b in Barman, $d in Drink) = false
    agent Barman: r_serve[]
