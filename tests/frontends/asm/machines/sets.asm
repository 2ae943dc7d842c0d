// A function whose values are sets.
asm sets
signature:
    enum domain Fruit = {APPLE | PEAR | PLUM}
    controlled basket: Powerset(Fruit)
    monitored fruit: Fruit
definitions:
    main rule r_Main =
        if contains(basket, fruit) then basket := excluding(basket, fruit)
        else if size(basket) = 2 then basket := {$f in Fruit | not contains(basket, $f)}
        else basket := including(basket, fruit) endif endif
default init s0:
    function basket = {APPLE}
