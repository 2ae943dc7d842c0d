// Functions of sequences that change.
asm sequence_library
signature:
    domain N subsetof Integer
    controlled s: Seq(N)
    controlled found: N
    controlled turn: N
definitions:
    domain N = {-1 : 5}
    //@ length(s) in {0 : 4}
    main rule r_Main =
        switch turn
            case 0: par s := append(s, 3) turn := 1 endpar
            case 1: par s := insertAt(s, 1, 4) found := indexOf(s, 3) turn := 2 endpar
            case 2: par s := union(s, [3]) found := indexOf(s, 5) turn := 3 endpar
            case 3: par s := replaceAt(s, 0, 0) found := count(s, 3) turn := 4 endpar
            case 4: par s := subSequence(s, 1, 2) found := size(asSet(s)) turn := 5 endpar
            case 5: par s := tail(prepend(2, s)) found := last(s) turn := 0 endpar
        endswitch
default init s0:
    function s = [1]
    function found = 0
    function turn = 0
