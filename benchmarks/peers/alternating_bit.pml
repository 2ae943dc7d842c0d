/* The alternating bit protocol of models/alternating_bit.py (class AlternatingBit): the same states, the same edges.
 * -DN=3 sets the number of messages.
 *
 * Sender, receiver and what loses messages are processes that share nothing but two channels with room for one message.
 * What a message is read into is cleared at once, so that it tells no states apart.
 */
#ifndef N
#define N 3
#endif

chan data = [1] of { bit, byte };
chan acks = [1] of { bit };
byte received;
byte sent;

active proctype sender()
{
    bit send_bit;
    bit ack;
end:
    do
    :: d_step { sent < N && empty(data) -> data ! send_bit, sent }
    :: d_step {
           nempty(acks) -> acks ? ack;
           if
           :: ack == send_bit && sent < N -> sent++; send_bit = 1 - send_bit
           :: else
           fi;
           ack = 0
       }
    od
}

active proctype receiver()
{
    bit wanted;
    bit tag;
    byte number;
end:
    do
    :: d_step {
           nempty(data) && empty(acks) -> data ? tag, number; acks ! tag;
           if
           :: tag == wanted -> assert(number == received); received++; wanted = 1 - wanted
           :: else
           fi;
           tag = 0;
           number = 0
       }
    :: timeout && (sent < N || received < N) -> assert(false)
    od
}

active proctype loss()
{
    bit tag;
    byte number;
end:
    do
    :: d_step { nempty(data) -> data ? tag, number; tag = 0; number = 0 }
    :: d_step { nempty(acks) -> acks ? tag; tag = 0 }
    od
}
