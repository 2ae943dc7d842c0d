"""Stop and wait: each message is sent again and again until its acknowledgement comes, over channels that lose some.

One bit tells a new message from an old one, and is enough as long as the channels keep the order: over channels that do
not, an old copy is taken for a new message. Teaches: channels from `asset.channels`, records as messages, and which
assumption a protocol rests on.
"""

# expect: StopAndWait: holds, 192 states, 774 edges, 0 terminal
# expect: StopAndWait capacity=1: holds
# expect: OutOfOrder: violated in_order, 36 states, 45 edges, 8 steps

from asset import Bag, Int, Model, Queue, Record, invariant, may_progress, transition, when
from asset.channels import Lossy, Reordering


class Frame(Record):
    number: Int(0, 2)  # which message it is; the protocol looks at the bit only
    bit: bool


class StopAndWait(Model):
    capacity: int = 2

    def state(self):
        self.data = Lossy(Queue(self.capacity, Frame))
        self.acks = Lossy(Queue(self.capacity, False))
        self.sending = Int(0, 2)  # messages are numbered modulo 3
        self.sent_bit = False
        self.expected = Int(0, 2)  # what the receiver is to get next
        self.awaited_bit = False
        self.wrong = False

    @transition
    def send(self):
        self.data.send(Frame(self.sending, self.sent_bit))

    @transition
    def receive(self):
        frame = self.data.receive()
        if frame.bit == self.awaited_bit:
            self.deliver(frame)
        self.acks.send(frame.bit)

    def deliver(self, frame):
        self.wrong = frame.number != self.expected
        self.expected = (self.expected + 1) % 3
        self.awaited_bit = not self.awaited_bit

    @transition
    def acknowledged(self):
        bit = self.acks.receive()
        when(bit == self.sent_bit)
        self.next_message()

    @transition
    def ignore(self):
        bit = self.acks.receive()
        when(bit != self.sent_bit)

    def next_message(self):
        self.sending = (self.sending + 1) % 3
        self.sent_bit = not self.sent_bit

    @transition(k="capacity")
    def lose_data(self, k):
        self.data.lose(k)

    @transition(k="capacity")
    def lose_ack(self, k):
        self.acks.lose(k)

    @invariant
    def in_order(self):
        return not self.wrong

    @may_progress
    def first_message_sent(self):
        return self.sending == 0


class OutOfOrder(Model):
    """The same over a channel that does not keep the order of the data: a frame is a pair of its number and its bit."""

    def state(self):
        self.data = Reordering(Bag((3, bool), 2))
        self.acks = Lossy(Queue(1, False))
        self.sending = Int(0, 2)
        self.sent_bit = False
        self.expected = Int(0, 2)
        self.awaited_bit = False
        self.wrong = False

    @transition
    def send(self):
        self.data.send((self.sending, self.sent_bit))

    @transition(number=3, bit=2)
    def receive(self, number, bit):
        self.data.receive((number, bit))
        if bit == self.awaited_bit:
            self.wrong = number != self.expected
            self.expected = (self.expected + 1) % 3
            self.awaited_bit = not self.awaited_bit
        self.acks.send(bit == 1)

    @transition
    def acknowledged(self):
        bit = self.acks.receive()
        if bit == self.sent_bit:
            self.sending = (self.sending + 1) % 3
            self.sent_bit = not self.sent_bit

    @invariant
    def in_order(self):
        return not self.wrong
