mtype = { msg, ack };
chan to_receiver = [1] of { mtype, bit };
chan to_sender = [1] of { mtype, bit };
byte delivered;
active proctype Sender() {
  bit seq, got;
  do
  :: to_receiver!msg(seq) ->
     if
     :: to_sender?ack(got) ->
        if
        :: got == seq -> progress_sent: seq = 1 - seq
        :: else -> skip
        fi
     :: timeout -> skip
     fi
  od
}
active proctype Receiver() {
  bit expected, got;
  do
  :: to_receiver?msg(got) ->
     if
     :: got == expected -> delivered = (delivered + 1) % 3; expected = 1 - expected
     :: else
     fi;
     to_sender!ack(got)
  :: to_receiver?_,_   /* lost */
  od
}
