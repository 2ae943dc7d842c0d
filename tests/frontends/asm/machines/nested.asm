// Sets, sequences and maps inside each other, and a function of sets.
asm nested
import StandardLibrary
signature:
    enum domain Colour = {RED | GREEN | BLUE}
    domain Small subsetof Integer
    controlled families: Powerset(Powerset(Colour))
    controlled line: Seq(Powerset(Colour))
    controlled words: Powerset(Seq(Small))
    controlled table: Map(Colour, Powerset(Small))
    controlled pair: Prod(Powerset(Small), Small)
    controlled best: Powerset(Colour) -> Small
    controlled seen: Boolean
    controlled n: Small
definitions:
    domain Small = {0 : 2}
    //@ length(line) in {0 : 2}
    //@ length(words) in {0 : 2}
    main rule r_Main =
        choose $c in Colour with true do
        par
            families := including(families, {$c, RED})
            if length(line) < 2 then line := append(line, {$c}) else line := [] endif
            words := including(words, [n, 1])
            table := assign(table, $c, including(at(table, RED), n))
            pair := (union(first(pair), {n}), second(pair))
            best({RED, $c}) := n
            seen := contains(families, {GREEN, RED}) and contains(words, [1, 1]) and best({RED}) = 1
            n := (n + 1) mod 3
        endpar
default init s0:
    function families = {}
    function line = []
    function words = {}
    function table = {RED -> {}}
    function pair = ({}, 0)
    function n = 0
