// Bags: displays, comprehensions, and the functions that take and give them.
asm bags
import StandardLibrary
signature:
    domain Coin subsetof Integer
    controlled purse: Bag(Coin)
    controlled till: Bag(Coin)
    controlled paid: Boolean
    monitored coin: Coin
    monitored found: Boolean
definitions:
    domain Coin = {1 : 3}
    //@ count(purse) in {0 : 2}
    //@ count(till) in {0 : 3}
    rule r_find = if count(purse, coin) < 2 and sum(purse) < 5 then purse := including(purse, coin) endif
    rule r_pay =
        if contains(purse, coin) and count(till, coin) < 3 then
            par
                purse := excluding(purse, coin)
                till := union(till, <coin>)
            endpar
        else till := <$c in purse | $c > 2 : $c - 1> endif
    main rule r_Main =
        par
            if found then r_find[] else r_pay[] endif
            paid := size(asSet(till)) > 1 and till != <1, 2> and isEmpty(intersection(till, purse))
        endpar
default init s0:
    function purse = <1, 1>
    function till = <>
    function paid = false
