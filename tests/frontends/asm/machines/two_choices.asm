// A choice of two at once, and one inside the other.
asm two_choices
signature:
    domain Die subsetof Integer
    controlled x: Die
    controlled y: Die
definitions:
    domain Die = {1 : 3}
    main rule r_Main =
        choose $a in Die, $b in Die with $a != $b do
            par
                x := $a
                choose $c in Die with $c >= $b do y := $c
            endpar
default init s0:
    function x = 1
    function y = 1
