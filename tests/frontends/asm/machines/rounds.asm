// A loop in one step, and a rule that is repeated until it updates nothing.
asm rounds
signature:
    domain N subsetof Integer
    domain K subsetof Integer
    monitored n: K
    controlled left: N
    controlled product: N
    controlled level: K
definitions:
    domain N = {0 : 30}
    domain K = {0 : 3}
    main rule r_Main =
        par
            seq
                par left := n product := 1 endpar
                while left > 0 do par product := product * left + 1 left := left - 1 endpar
            endseq
            if n > 1 then iterate
                if level < n then level := level + 1 endif
            enditerate endif
        endpar
default init s0:
    function left = 0
    function product = 1
    function level = 0
