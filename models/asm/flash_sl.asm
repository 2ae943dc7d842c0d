(* The cache coherence protocol of flash.asm in ASM-SL, the notation of the paper's own tool. Written anew.

   Who stands behind a message, a request or a line is a node(i), or nobody; what it is about is a line(i), or nowhere.
   The environment says in each step who is at work (Self) and what that node would like to do (wish). *)

freetype WHO == { node : INT, nobody }
freetype LINE == { line : INT, nowhere }
freetype PLACE == { slot : INT }
freetype KIND == { none, get, getx, inv, wb, rpl, swb, nack, nackc, put, putx, invack, fwdget, fwdgetx, fwdack,
                   nackboth, putswb, putxack }
freetype WISH == { to_read, to_write, to_drop, to_write_back }
freetype PHASE == { ready, waiting, invalidated }
freetype COPY == { exclusive, shared, invalid }
freetype MODE == { handle, pass }

static function nodes == 2
static function lines == 1
static function slots == 2
static function mended == 1

static function Nodes == { node(i) | i in { 1..nodes } }
static function Lines == { line(i) | i in { 1..lines } }
static function Slots == { slot(i) | i in { 1..slots } }
static function Who == Nodes union { nobody }
static function Where == Lines union { nowhere }
static function home == MAP_TO_FUN { line(i) -> node((i - 1) mod nodes + 1) | i in { 1..lines } }
static function Requests == { none, get, getx, rpl, wb }
static function Kinds == { none, get, getx, inv, wb, rpl, swb, nack, nackc, put, putx, invack, fwdget, fwdgetx, fwdack,
                           nackboth, putswb, putxack }

(* --- what waits in the queue of a node, what it has in hand, and the request on its way to it --- *)

dynamic function queued : PLACE * WHO -> KIND
  with queued(s, n) in Kinds
  initially MAP_TO_FUN { (s, n) -> none | (s, n) in Union({ { (s, n) | s in Slots } | n in Nodes }) }
dynamic function queued_from : PLACE * WHO -> WHO
  with queued_from(s, n) in Who
  initially MAP_TO_FUN { (s, n) -> nobody | (s, n) in Union({ { (s, n) | s in Slots } | n in Nodes }) }
dynamic function queued_for : PLACE * WHO -> WHO
  with queued_for(s, n) in Who
  initially MAP_TO_FUN { (s, n) -> nobody | (s, n) in Union({ { (s, n) | s in Slots } | n in Nodes }) }
dynamic function queued_line : PLACE * WHO -> LINE
  with queued_line(s, n) in Where
  initially MAP_TO_FUN { (s, n) -> nowhere | (s, n) in Union({ { (s, n) | s in Slots } | n in Nodes }) }

dynamic function message : WHO -> KIND
  with message(n) in Kinds
  initially MAP_TO_FUN { n -> none | n in Nodes }
dynamic function message_from : WHO -> WHO
  with message_from(n) in Who
  initially MAP_TO_FUN { n -> nobody | n in Nodes }
dynamic function message_for : WHO -> WHO
  with message_for(n) in Who
  initially MAP_TO_FUN { n -> nobody | n in Nodes }
dynamic function message_line : WHO -> LINE
  with message_line(n) in Where
  initially MAP_TO_FUN { n -> nowhere | n in Nodes }

dynamic function request : WHO -> KIND
  with request(n) in Requests
  initially MAP_TO_FUN { n -> none | n in Nodes }
dynamic function request_from : WHO -> WHO
  with request_from(n) in Who
  initially MAP_TO_FUN { n -> nobody | n in Nodes }
dynamic function request_line : WHO -> LINE
  with request_line(n) in Where
  initially MAP_TO_FUN { n -> nowhere | n in Nodes }

(* --- what is known of lines --- *)

dynamic function phase : WHO * LINE -> PHASE
  initially MAP_TO_FUN { (n, l) -> ready | (n, l) in Union({ { (n, l) | n in Nodes } | l in Lines }) }
dynamic function copy : WHO * LINE -> COPY
  initially MAP_TO_FUN { (n, l) -> invalid | (n, l) in Union({ { (n, l) | n in Nodes } | l in Lines }) }
dynamic relation pending : LINE
  initially SET_TO_REL {}
dynamic function owner : LINE -> WHO
  with owner(l) in Who
  initially MAP_TO_FUN { l -> nobody | l in Lines }
dynamic relation sharer : LINE * WHO
  with sharer(l, n in Nodes) in { true, false }
  initially SET_TO_REL {}
dynamic function mode : MODE
  initially handle

external function Self : WHO
  with Self in Nodes
external function wish : WHO -> (WISH * LINE)
  with wish(n in Nodes) in Union({ { (w, l) | w in { to_read, to_write, to_drop, to_write_back } } | l in Lines })

derived function room(n) == queued(slot(slots), n) = none
derived function wanted(k, n, l) ==
  phase(n, l) = ready
  and copy(n, l) = case k of rpl : shared; wb : exclusive; _ : invalid endcase

(* --- sending --- *)

transition Enqueue (n, s, (k, from, for, l)) ==
  block
    queued(s, n) := k
    queued_from(s, n) := from
    queued_for(s, n) := for
    queued_line(s, n) := l
  endblock

transition Send (n, m) ==
  if queued(slot(1), n) = none
  then Enqueue(n, slot(1), m)
  else do forall i in { 2..slots } with queued(slot(i), n) = none and queued(slot(i - 1), n) != none
         Enqueue(n, slot(i), m)
       enddo
  endif

transition Done ==
  block
    message(Self) := none
    message_from(Self) := nobody
    message_for(Self) := nobody
    message_line(Self) := nowhere
  endblock

transition Ask (k, l) ==
  if request(home(l)) = none and wanted(k, Self, l)
  then request(home(l)) := k
       request_from(home(l)) := Self
       request_line(home(l)) := l
  endif

transition Wishes ==
  case wish(Self) of
    (to_read, l) : Ask(get, l);
    (to_write, l) : Ask(getx, l);
    (to_drop, l) : Ask(rpl, l);
    (to_write_back, l) : Ask(wb, l)
  endcase

(* --- at the home --- *)

transition Forward (k, source, l) ==
  if room(owner(l))
  then Send(owner(l), (k, Self, source, l))
       pending(l) := true
       Done
  endif

transition Refuse (source, l) ==
  if room(source) then Send(source, (nack, Self, source, l)) Done endif

transition Read (source, l) ==
  if pending(l) then Refuse(source, l)
  else if owner(l) != nobody then Forward(fwdget, source, l)
       else if room(source)
            then Send(source, (put, Self, source, l))
                 sharer(l, source) := true
                 Done
            endif
       endif
  endif

transition Write (source, l) ==
  if pending(l) then Refuse(source, l)
  else if owner(l) != nobody then Forward(fwdgetx, source, l)
       else if (forall n in Nodes : not sharer(l, n))
            then if room(source)
                 then Send(source, (putx, Self, source, l))
                      owner(l) := source
                      Done
                 endif
            else if (forall n in Nodes : sharer(l, n) implies room(n))
                 then do forall n in Nodes with sharer(l, n)
                        Send(n, (inv, Self, source, l))
                      enddo
                      pending(l) := true
                      Done
                 endif
            endif
       endif
  endif

(* The last acknowledgement lets the writer go on, who is the owner from then on. *)
transition Acknowledged (from, source, l) ==
  block
    sharer(l, from) := false
    if (exists n in Nodes : n != from and sharer(l, n)) then Done
    else if room(source)
         then Send(source, (putx, Self, source, l))
              pending(l) := false
              if mended = 1 then owner(l) := source endif
              Done
         endif
    endif
  endblock

transition SettleShared (source, l) ==
  block
    sharer(l, source) := true
    if owner(l) != nobody then sharer(l, owner(l)) := true endif
    owner(l) := nobody
    pending(l) := false
  endblock

transition SettleOwner (source, l) ==
  block
    owner(l) := source
    pending(l) := false
  endblock

(* --- at any node --- *)

(* An answer to who asked and a note to the home; one message if these are the same node. *)
transition Answer (source, l, k, note, both, after) ==
  if home(l) = source
  then if room(source)
       then Send(source, (both, Self, source, l))
            copy(Self, l) := after
            Done
       endif
  else if room(source) and room(home(l))
       then Send(source, (k, Self, source, l))
            Send(home(l), (note, Self, source, l))
            copy(Self, l) := after
            Done
       endif
  endif

transition Invalidate (source, l) ==
  if room(home(l))
  then Send(home(l), (invack, Self, source, l))
       if copy(Self, l) = shared then copy(Self, l) := invalid
       else if phase(Self, l) = waiting then phase(Self, l) := invalidated endif
       endif
       Done
  endif

transition TakeShared (l) ==
  block
    if phase(Self, l) != invalidated then copy(Self, l) := shared endif
    phase(Self, l) := ready
  endblock

transition TakeExclusive (l) ==
  block
    copy(Self, l) := exclusive
    phase(Self, l) := ready
  endblock

transition Handle (k, from, source, l) ==
  case k of
    get : Read(source, l);
    getx : Write(source, l);
    fwdget : if copy(Self, l) = exclusive then Answer(source, l, put, swb, putswb, shared)
             else Answer(source, l, nack, nackc, nackboth, copy(Self, l)) endif;
    fwdgetx : if copy(Self, l) = exclusive then Answer(source, l, putx, fwdack, putxack, invalid)
              else Answer(source, l, nack, nackc, nackboth, copy(Self, l)) endif;
    inv : Invalidate(source, l);
    invack : Acknowledged(from, source, l);
    put : TakeShared(l) Done;
    putx : TakeExclusive(l) Done;
    swb : SettleShared(source, l) Done;
    fwdack : SettleOwner(source, l) Done;
    nack : phase(Self, l) := ready Done;
    nackc : pending(l) := false Done;
    putswb : TakeShared(l) SettleShared(source, l) Done;
    putxack : TakeExclusive(l) SettleOwner(source, l) Done;
    nackboth : phase(Self, l) := ready pending(l) := false Done;
    rpl : if not pending(l) then sharer(l, from) := false endif Done;
    wb : owner(l) := nobody Done;
    _ : skip
  endcase

(* --- passing messages on --- *)

transition Deliver (n) ==
  block
    message(n) := queued(slot(1), n)
    message_from(n) := queued_from(slot(1), n)
    message_for(n) := queued_for(slot(1), n)
    message_line(n) := queued_line(slot(1), n)
    do forall i in { 2..slots }
      Enqueue(n, slot(i - 1), (queued(slot(i), n), queued_from(slot(i), n), queued_for(slot(i), n),
                               queued_line(slot(i), n)))
    enddo
    Enqueue(n, slot(slots), (none, nobody, nobody, nowhere))
  endblock

(* A request that makes no sense any more is dropped. *)
transition Admit (n, k, from, l) ==
  block
    request(n) := none
    request_from(n) := nobody
    request_line(n) := nowhere
    if wanted(k, from, l)
    then message(n) := k
         message_from(n) := from
         message_for(n) := from
         message_line(n) := l
         if k = get or k = getx then phase(from, l) := waiting else copy(from, l) := invalid endif
    endif
  endblock

transition main ==
  if mode = handle
  then Wishes
       Handle(message(Self), message_from(Self), message_for(Self), message_line(Self))
       mode := pass
  else do forall n in Nodes with message(n) = none
         if queued(slot(1), n) != none then Deliver(n)
         else if request(n) != none then Admit(n, request(n), request_from(n), request_line(n)) endif
         endif
       enddo
       mode := handle
  endif

invariant one_writer ==
  (forall l in Lines, a in Nodes, b in Nodes :
     a != b implies not (copy(a, l) = exclusive and copy(b, l) = exclusive))
ctl can_be_answered ==
  (forall n in Nodes, l in Lines : AG(phase(n, l) = waiting implies EF(phase(n, l) = ready)))
ctl readers_are_noted ==
  (forall n in Nodes, l in Lines : AG(copy(n, l) = shared implies sharer(l, n) or pending(l)))
