// A cache coherence protocol in the manner of Stanford FLASH, after the case study of
// "Model checking support for the ASM high-level language" (G. Del Castillo, K. Winter, TACAS 2000). Written anew.
//
// Each line of memory has a home node. A node that wants to read asks the home for a shared copy, a node that wants to
// write for the exclusive one. The home answers, forwards the request to the owner, or has all sharers give up their
// copies first. Messages wait in a queue of bounded length for each node. Steps alternate: in one of them a node
// handles the message that it has, in the next one messages are passed on.
//
// Parameters: nodes, lines, slots (the length of a queue), and mended: with mended=0 the home forgets to note the new
// owner when the last sharer has given up its copy, and two nodes write at once. With fewer slots than nodes, the
// protocol may stop: the home cannot send its own acknowledgement into its own full queue.
asm flash

import StandardLibrary
import CTLLibrary
import LTLLibrary

signature:
    enum domain Kind = {GET | GETX | INV | WB | RPL | SWB | NACK | NACKC | PUT | PUTX | INVACK | FWDGET | FWDGETX
        | FWDACK | NACKBOTH | PUTSWB | PUTXACK}
    enum domain Wish = {READ | WRITE | DROP | WRITEBACK}
    enum domain Phase = {READY | WAIT | INVALIDATED}
    enum domain Copy = {EXCLUSIVE | SHARED | INVALID}
    enum domain Mode = {HANDLE | PASS}
    domain Node subsetof Integer
    domain Line subsetof Integer
    domain Slot subsetof Integer

    static nodes: Integer
    static lines: Integer
    static slots: Integer
    static mended: Integer
    static home: Line -> Node
    static nothing: Prod(Kind, Node, Node, Line)
    static noRequest: Prod(Kind, Node, Line)

    // A message: its kind, who sends it, whose request it is about, the line.
    controlled queue: Prod(Slot, Node) -> Prod(Kind, Node, Node, Line)
    controlled message: Node -> Prod(Kind, Node, Node, Line)
    // A request on its way to a home: its kind, whose it is, the line.
    controlled request: Node -> Prod(Kind, Node, Line)
    controlled phase: Prod(Node, Line) -> Phase
    controlled copy: Prod(Node, Line) -> Copy
    controlled pending: Line -> Boolean
    controlled owner: Line -> Node
    controlled sharer: Prod(Line, Node) -> Boolean
    controlled mode: Mode

    monitored mover: Node
    monitored wish: Node -> Prod(Wish, Line)

    derived room: Node -> Boolean
    derived wanted: Prod(Kind, Node, Line) -> Boolean

definitions:
    function nodes = 2
    function lines = 1
    function slots = 2
    function mended = 1
    domain Node = {1 : nodes}
    domain Line = {1 : lines}
    domain Slot = {1 : slots}
    function home($l in Line) = ($l - 1) mod nodes + 1
    function nothing = undef
    function noRequest = undef

    function room($n in Node) = queue(slots, $n) = nothing

    // Whether a request of that kind makes sense for who makes it.
    function wanted($k in Kind, $n in Node, $l in Line) =
        phase($n, $l) = READY and
        switch $k
            case RPL: copy($n, $l) = SHARED
            case WB: copy($n, $l) = EXCLUSIVE
            otherwise copy($n, $l) = INVALID
        endswitch

    // --- sending ---------------------------------------------------------------------------------------------------

    rule r_send($to in Node, $k in Kind, $me in Node, $source in Node, $l in Line) =
        forall $s in Slot with queue($s, $to) = nothing and
                (forall $t in Slot with $t < $s implies queue($t, $to) != nothing) do
            queue($s, $to) := ($k, $me, $source, $l)

    rule r_ask($me in Node, $k in Kind, $l in Line) =
        if request(home($l)) = noRequest and wanted($k, $me, $l) then request(home($l)) := ($k, $me, $l) endif

    rule r_wish($me in Node) =
        let (($w, $l) = wish($me)) in
            switch $w
                case READ: r_ask[$me, GET, $l]
                case WRITE: r_ask[$me, GETX, $l]
                case DROP: r_ask[$me, RPL, $l]
                case WRITEBACK: r_ask[$me, WB, $l]
            endswitch
        endlet

    // --- at the home -------------------------------------------------------------------------------------------------

    rule r_get($me in Node, $source in Node, $l in Line) =
        if pending($l) then
            if room($source) then par r_send[$source, NACK, $me, $source, $l] message($me) := nothing endpar endif
        else if isDef(owner($l)) then
            if room(owner($l)) then
                par
                    r_send[owner($l), FWDGET, $me, $source, $l]
                    pending($l) := true
                    message($me) := nothing
                endpar
            endif
        else if room($source) then
            par
                r_send[$source, PUT, $me, $source, $l]
                sharer($l, $source) := true
                message($me) := nothing
            endpar
        endif endif endif

    rule r_getx($me in Node, $source in Node, $l in Line) =
        if pending($l) then
            if room($source) then par r_send[$source, NACK, $me, $source, $l] message($me) := nothing endpar endif
        else if isDef(owner($l)) then
            if room(owner($l)) then
                par
                    r_send[owner($l), FWDGETX, $me, $source, $l]
                    pending($l) := true
                    message($me) := nothing
                endpar
            endif
        else if not (exist $n in Node with sharer($l, $n)) then
            if room($source) then
                par
                    r_send[$source, PUTX, $me, $source, $l]
                    owner($l) := $source
                    message($me) := nothing
                endpar
            endif
        else if (forall $n in Node with sharer($l, $n) implies room($n)) then
            par
                forall $n in Node with sharer($l, $n) do r_send[$n, INV, $me, $source, $l]
                pending($l) := true
                message($me) := nothing
            endpar
        endif endif endif endif

    // The last acknowledgement lets the writer go on, who is the owner from then on.
    rule r_invack($me in Node, $from in Node, $source in Node, $l in Line) =
        par
            sharer($l, $from) := false
            if (exist $n in Node with $n != $from and sharer($l, $n)) then message($me) := nothing
            else if room($source) then
                par
                    r_send[$source, PUTX, $me, $source, $l]
                    pending($l) := false
                    if mended = 1 then owner($l) := $source endif
                    message($me) := nothing
                endpar
            endif endif
        endpar

    rule r_settle_shared($source in Node, $l in Line) =
        par
            sharer($l, $source) := true
            if isDef(owner($l)) then sharer($l, owner($l)) := true endif
            owner($l) := undef
            pending($l) := false
        endpar

    rule r_settle_owner($source in Node, $l in Line) = par owner($l) := $source pending($l) := false endpar

    // --- at any node -------------------------------------------------------------------------------------------------

    // The owner passes its copy on, to read or to write. If the home itself asks, it gets one message instead of two.
    rule r_forwarded($me in Node, $source in Node, $l in Line, $grant in Kind, $note in Kind, $both in Kind) =
        if home($l) = $source then
            if room($source) then
                par
                    r_send[$source, $both, $me, $source, $l]
                    if copy($me, $l) = EXCLUSIVE then
                        copy($me, $l) := if $grant = PUT then SHARED else INVALID endif
                    endif
                    message($me) := nothing
                endpar
            endif
        else if room($source) and room(home($l)) then
            par
                r_send[$source, $grant, $me, $source, $l]
                r_send[home($l), $note, $me, $source, $l]
                if copy($me, $l) = EXCLUSIVE then
                    copy($me, $l) := if $grant = PUT then SHARED else INVALID endif
                endif
                message($me) := nothing
            endpar
        endif endif

    rule r_inv($me in Node, $source in Node, $l in Line) =
        if room(home($l)) then
            par
                r_send[home($l), INVACK, $me, $source, $l]
                message($me) := nothing
                if copy($me, $l) = SHARED then copy($me, $l) := INVALID
                else if phase($me, $l) = WAIT then phase($me, $l) := INVALIDATED endif endif
            endpar
        endif

    rule r_put($me in Node, $l in Line) =
        par
            if phase($me, $l) != INVALIDATED then copy($me, $l) := SHARED endif
            phase($me, $l) := READY
        endpar

    rule r_putx($me in Node, $l in Line) = par copy($me, $l) := EXCLUSIVE phase($me, $l) := READY endpar

    rule r_message($me in Node) =
        let (($k, $from, $source, $l) = message($me)) in
            switch $k
                case GET: r_get[$me, $source, $l]
                case GETX: r_getx[$me, $source, $l]
                case FWDGET:
                    if copy($me, $l) = EXCLUSIVE then r_forwarded[$me, $source, $l, PUT, SWB, PUTSWB]
                    else r_forwarded[$me, $source, $l, NACK, NACKC, NACKBOTH] endif
                case FWDGETX:
                    if copy($me, $l) = EXCLUSIVE then r_forwarded[$me, $source, $l, PUTX, FWDACK, PUTXACK]
                    else r_forwarded[$me, $source, $l, NACK, NACKC, NACKBOTH] endif
                case INV: r_inv[$me, $source, $l]
                case INVACK: r_invack[$me, $from, $source, $l]
                case PUT: par r_put[$me, $l] message($me) := nothing endpar
                case PUTX: par r_putx[$me, $l] message($me) := nothing endpar
                case SWB: par r_settle_shared[$source, $l] message($me) := nothing endpar
                case FWDACK: par r_settle_owner[$source, $l] message($me) := nothing endpar
                case NACK: par phase($me, $l) := READY message($me) := nothing endpar
                case NACKC: par pending($l) := false message($me) := nothing endpar
                case PUTSWB: par r_put[$me, $l] r_settle_shared[$source, $l] message($me) := nothing endpar
                case PUTXACK: par r_putx[$me, $l] r_settle_owner[$source, $l] message($me) := nothing endpar
                case NACKBOTH: par phase($me, $l) := READY pending($l) := false message($me) := nothing endpar
                case RPL:
                    par
                        if not pending($l) then sharer($l, $from) := false endif
                        message($me) := nothing
                    endpar
                case WB: par owner($l) := undef message($me) := nothing endpar
            endswitch
        endlet

    // --- passing messages on -----------------------------------------------------------------------------------------

    rule r_deliver($n in Node) =
        par
            message($n) := queue(1, $n)
            forall $s in Slot with $s < slots do queue($s, $n) := queue($s + 1, $n)
            queue(slots, $n) := nothing
        endpar

    // A request that makes no sense any more is dropped.
    rule r_admit($n in Node) =
        let (($k, $from, $l) = request($n)) in
            par
                request($n) := noRequest
                if wanted($k, $from, $l) then
                    par
                        message($n) := ($k, $from, $from, $l)
                        if $k = GET or $k = GETX then phase($from, $l) := WAIT else copy($from, $l) := INVALID endif
                    endpar
                endif
            endpar
        endlet

    rule r_pass =
        forall $n in Node with message($n) = nothing do
            if queue(1, $n) != nothing then r_deliver[$n]
            else if request($n) != noRequest then r_admit[$n] endif endif

    invariant one_writer over copy:
        (forall $l in Line, $a in Node, $b in Node with
            $a != $b implies not (copy($a, $l) = EXCLUSIVE and copy($b, $l) = EXCLUSIVE))

    CTLSPEC can_be_answered: (forall $n in Node, $l in Line with ag(phase($n, $l) = WAIT implies ef(phase($n, $l) = READY)))

    // The home hears of a copy that was passed on a moment later, and until then the line is pending.
    CTLSPEC readers_are_noted:
        (forall $n in Node, $l in Line with ag(copy($n, $l) = SHARED implies sharer($l, $n) or pending($l)))

    main rule r_Main =
        if mode = HANDLE then par r_wish[mover] r_message[mover] mode := PASS endpar
        else par r_pass[] mode := HANDLE endpar endif

default init s0:
    function queue($s in Slot, $n in Node) = nothing
    function message($n in Node) = nothing
    function request($n in Node) = noRequest
    function phase($n in Node, $l in Line) = READY
    function copy($n in Node, $l in Line) = INVALID
    function pending($l in Line) = false
    function sharer($l in Line, $n in Node) = false
    function mode = HANDLE
