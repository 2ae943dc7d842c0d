// Rules that call themselves, with a result, with two calls, and one through another.
asm recursion
import StandardLibrary
signature:
    domain N subsetof Integer
    controlled fact: Integer
    controlled fib: Integer
    controlled seen: N -> Boolean
    monitored k: N
definitions:
    domain N = {0 : 4}
    //@ fact in {1 : 24}
    //@ fib in {0 : 3}
    turbo rule r_fact($n in Integer) in Integer =
        if $n <= 1 then result := 1
        else seq result <- r_fact($n - 1) result := result * $n endseq endif
    rule r_even($n in Integer) = if $n > 0 then par seen($n) := true r_odd[$n - 1] endpar endif
    rule r_odd($n in Integer) = if $n > 0 then r_even[$n - 1] endif
    turbo rule r_fib($n in Integer) in Integer =
        if $n <= 1 then result := $n
        else seq fib <- r_fib($n - 1) result <- r_fib($n - 2) result := result + fib endseq endif
    main rule r_Main =
        par
            fact <- r_fact(k)
            if k < 3 then r_even[k + 2] else forall $i in N do seen($i) := false endif
        endpar
default init s0:
    function fact = 1
    function fib = 0
    function seen($n in N) = false
