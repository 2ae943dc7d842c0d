// A fraction of a number that changes: what is divided by has few values.
asm thirds
import StandardLibrary
signature:
    domain Count subsetof Integer
    domain Share subsetof Real
    controlled count: Count
    controlled share: Real
    controlled seen: Powerset(Share)
    controlled total: Count -> Real
definitions:
    domain Count = {1 : 3}
    domain Share = {1/3, 0.5}
    //@ share in {0, 1/4, 1/3, 0.5, 1}
    //@ total($c) in {0, 1/4, 1/3, 2/3, 0.5, 1}
    main rule r_Main =
        par
            choose $k in Count with $k != count do count := $k
            share := 1 / count
            if contains({1/3, 0.5}, share) and not (exist $x in seen with $x > 2 * share) then
                seen := including(seen, share)
            endif
            if contains({1/4, 1/3, 2/3, 0.5}, total(count) + share) then total(count) := total(count) + share endif
        endpar
default init s0:
    function count = 1
    function share = 0
    function seen = {}
    function total($c in Count) = 0
