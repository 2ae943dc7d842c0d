// Sequences of sequences and of tuples with sets, bags in maps, quantifiers over sets of sets, choices among them.
asm nested_deeper
import StandardLibrary
signature:
    enum domain Item = {TEA | MILK}
    domain Small subsetof Integer
    controlled rows: Seq(Seq(Item))
    controlled log: Seq(Prod(Powerset(Item), Small))
    controlled stock: Map(Item, Bag(Item))
    controlled groups: Powerset(Powerset(Item))
    controlled pairs: Powerset(Prod(Item, Small))
    controlled last: Powerset(Item)
    controlled owner: Seq(Item) -> Item
    controlled maybe: Prod(Powerset(Item), Small)
    controlled all: Boolean
    controlled n: Small
definitions:
    domain Small = {0 : 1}
    //@ length(rows) in {0 : 2}
    //@ length(log) in {0 : 4}
    //@ count(stock) in {0 : 2}
    //@ owner($s in {[], [TEA], [MILK]}) in {TEA, MILK}
    main rule r_Main =
        choose $i in Item with true do
            par
                if length(rows) = 2 then rows := tail(rows) else rows := append(rows, [$i, TEA]) endif
                if notEmpty(groups) then
                    choose $g in groups with contains($g, $i) do
                        par last := $g log := [($g, n)] groups := excluding(groups, $g) endpar
                    ifnone
                        par
                            if length(log) > 1 then log := []
                            else log := append(excluding(log, ({MILK, TEA}, 0)), (last, n)) endif
                            groups := {{$i}, {}}
                        endpar
                else groups := including(groups, {$i, MILK}) endif
                if n = 1 then stock := assign(stock, $i, <$i, TEA>) endif
                owner([$i]) := if isDef(owner([MILK])) then TEA else $i endif
                maybe := if n = 0 then (last, n) endif
                pairs := union(pairs, {($i, n)})
                all := (forall $s in groups with contains($s, MILK) or isEmpty($s))
                n := 1 - n
            endpar
default init s0:
    function rows = [[MILK]]
    function log = []
    function stock = {TEA -> <TEA>}
    function groups = {}
    function pairs = {}
    function last = {TEA}
    function owner($s in {[], [TEA], [MILK]}) = undef
    function n = 0
