// chooseone gives any element of a set, undef if there is none; in a let it is chosen once.
asm any_element
import StandardLibrary
signature:
    domain N subsetof Integer
    controlled x: N
    controlled used: Powerset(N)
    derived free: Powerset(N)
definitions:
    domain N = {0 : 3}
    function free = {$y in N | notin(used, $y) : $y}
    main rule r_Main =
        let ($k = chooseone(free)) in
            if isDef($k) then
                par x := $k used := including(used, $k) endpar
            else used := {chooseone({1, 2})} endif
        endlet
default init s0:
    function x = 0
    function used = {}
