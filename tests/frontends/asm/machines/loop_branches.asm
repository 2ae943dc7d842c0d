// Branches in a loop exclude each other in one round only: equal values from two rounds are no conflict.
asm loop_branches
signature:
    enum domain E = {RED | GREEN | BLUE}
    controlled p: Boolean
    controlled e: E
definitions:
    main rule r_Main =
        par
            forall $c in E do switch $c case RED: p := e = RED case GREEN: p := not (e != RED) otherwise skip endswitch
            choose $c in E with $c != e do e := $c
        endpar
default init s0:
    function p = false
    function e = RED
