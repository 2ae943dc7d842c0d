#define NIL 255
typedef Node { byte next = NIL; bool locked };
Node node[2]; byte tail = NIL; byte cnt;
active [2] proctype P() {
  byte pred; byte me = _pid;
  do
  :: node[me].next = NIL;
     atomic { pred = tail; tail = me };
     if
     :: pred != NIL -> node[me].locked = true; node[pred].next = me; !node[me].locked
     :: else
     fi;
     cnt++; assert(cnt == 1); cnt--;
     if
     :: node[me].next == NIL ->
        if
        :: d_step { tail == me -> tail = NIL }
        :: else -> node[me].next != NIL; node[node[me].next].locked = false
        fi
     :: else -> node[node[me].next].locked = false
     fi
  od
}
