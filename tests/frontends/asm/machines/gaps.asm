// Domains whose numbers are not consecutive, as values and as arguments.
asm gaps
signature:
    domain Coin subsetof Integer
    controlled coin: Coin
    controlled had: Coin -> Boolean
definitions:
    domain Coin = {1, 2, 5, 10}
    main rule r_Main =
        par
            had(coin) := true
            choose $c in Coin with $c > coin do coin := $c ifnone coin := 1
        endpar
default init s0:
    function coin = 1
    function had($c in Coin) = false
