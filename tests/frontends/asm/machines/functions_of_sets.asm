// Static functions of sets and sequences, one of which calls itself, and a derived one.
asm functions_of_sets
import StandardLibrary
signature:
    enum domain Coin = {CENT | DIME | EURO}
    domain Sum subsetof Integer
    static worth: Coin -> Sum
    static total: Powerset(Coin) -> Sum
    static swapped: Seq(Coin) -> Seq(Coin)
    derived paid: Powerset(Coin) -> Boolean
    controlled purse: Powerset(Coin)
    controlled order: Seq(Coin)
    controlled sum: Sum
    controlled enough: Boolean
    monitored drawn: Powerset(Coin)
definitions:
    domain Sum = {0 : 9}
    //@ length(order) in {0 : 2}
    function worth($c in Coin) = switch $c case CENT: 1 case DIME: 2 case EURO: 5 endswitch
    function total($s in Powerset(Coin)) =
        if isEmpty($s) then 0
        else let ($c = first(asSequence($s))) in worth($c) + total(excluding($s, $c)) endlet endif
    function swapped($s in Seq(Coin)) = if length($s) = 2 then [last($s), first($s)] else $s endif
    function paid($s in Powerset(Coin)) = total($s) >= total(purse)
    main rule r_Main =
        par
            purse := drawn
            sum := total(purse)
            enough := paid(drawn)
            choose $c in drawn with true do
                if length(order) < 2 then order := append(order, $c) else order := tail(swapped(order)) endif
        endpar
default init s0:
    function purse = {}
    function order = []
