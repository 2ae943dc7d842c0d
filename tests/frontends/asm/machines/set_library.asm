// Functions of sets that change, and of tuples.
asm set_library
signature:
    domain N subsetof Integer
    domain M subsetof Integer
    controlled s: Powerset(N)
    controlled pair: Prod(N, N)
    controlled total: M
    controlled flag: Boolean
    monitored n: N
definitions:
    domain N = {0 : 3}
    domain M = {0 : 12}
    main rule r_Main =
        par
            if notin(s, n) then s := union(including(s, n), {0 : 3, 3})
            else s := symmetricDifference(excluding(s, n), {1, 2}) endif
            pair := (n, first(pair))
            total := sum(s) + second(pair)
            flag := allin(s, {n, 2}) iff (notEmpty(s) and lt(size(s), 3))
        endpar
default init s0:
    function s = {}
    function pair = (0, 0)
    function total = 0
    function flag = true
