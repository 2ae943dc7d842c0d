// Sequences and maps that are collected from a state, loops over sequences, an item taken out of a sequence.
asm collected
import StandardLibrary
signature:
    domain N subsetof Integer
    controlled queue: Seq(N)
    controlled small: Seq(N)
    controlled next: Map(N, N)
    controlled there: N -> Boolean
    monitored new: N
definitions:
    domain N = {0 : 1}
    //@ length(queue) in {0 : 2}
    //@ length(small) in {0 : 2}
    main rule r_Main =
        par
            queue := if length(queue) < 2 then append(queue, new) else excluding(queue, new) endif
            small := [$x in queue | $x != new : 1 - $x]
            next := {$k in queue | $k != new : $k -> length(queue) - 1}
            forall $y in queue do there($y) := true
        endpar
default init s0:
    function queue = []
    function small = []
    function next = {->}
    function there($n in N) = false
