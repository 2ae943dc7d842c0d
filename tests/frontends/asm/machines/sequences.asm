// A function whose values are sequences of bounded length: a queue.
asm sequences
signature:
    domain Item subsetof Integer
    controlled queue: Seq(Item)
    controlled out1: Item
    monitored put: Boolean
    monitored item: Item
definitions:
    domain Item = {1 : 2}
    //@ length(queue) in {0 : 2}
    main rule r_Main =
        if put and length(queue) < 2 then queue := append(queue, item)
        else if not isEmpty(queue) then par out1 := first(queue) queue := tail(queue) endpar endif endif
default init s0:
    function queue = []
    function out1 = 1
