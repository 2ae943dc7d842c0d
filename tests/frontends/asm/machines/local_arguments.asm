// Functions of a rule that have arguments: how often each number is there, and the numbers in order.
asm local_arguments
import StandardLibrary
signature:
    domain N subsetof Integer
    domain Place subsetof Integer
    controlled item: Place -> N
    controlled most: N
    controlled least: N
definitions:
    domain N = {0 : 2}
    domain Place = {1 : 3}
    rule r_sort =
        local sorted: Place -> N [forall $p in Place do sorted($p) := item($p)]
        local kept: N [skip]
            seq
                forall $round in {1 : 3} do skip
                if sorted(1) > sorted(2) then par sorted(1) := sorted(2) sorted(2) := sorted(1) endpar endif
                if sorted(2) > sorted(3) then par sorted(2) := sorted(3) sorted(3) := sorted(2) endpar endif
                if sorted(1) > sorted(2) then seq kept := sorted(1) sorted(1) := sorted(2) sorted(2) := kept endseq endif
                par least := sorted(1) most := sorted(3) endpar
            endseq
    main rule r_Main =
        par
            choose $p in Place, $n in N with true do item($p) := $n
            r_sort[]
        endpar
default init s0:
    function item($p in Place) = 0
    function most = 0
    function least = 0
