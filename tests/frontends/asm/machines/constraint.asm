// A finiteness constraint that depends on the argument; the domain of the function is infinite.
asm constraint
signature:
    domain Index subsetof Integer
    controlled f: Index -> Integer
    monitored bump: Index
definitions:
    domain Index = {1 : 3}
    //@ f($x) in {$x, $x + 1, $x + 2}
    main rule r_Main = if f(bump) < bump + 2 then f(bump) := f(bump) + 1 else f(bump) := bump endif
default init s0:
    function f($x in Index) = $x
