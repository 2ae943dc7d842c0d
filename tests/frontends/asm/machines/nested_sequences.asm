// Sequences in parallel, one in the other, with a loop and arrays.
asm nested_sequences
signature:
    domain Slot subsetof Integer
    domain Bit subsetof Integer
    controlled tape: Slot -> Bit
    controlled head: Slot
definitions:
    domain Slot = {0 : 2}
    domain Bit = {0 : 1}
    main rule r_Main =
        par
            seq
                head := (head + 1) mod 3
                seq
                    tape(head) := 1 - tape(head)
                    forall $s in Slot with tape($s) = 1 and $s < head do tape($s) := 0
                endseq
            endseq
        endpar
default init s0:
    function head = 0
    function tape($s in Slot) = 0
