# The alternating bit protocol: messages over a channel that may lose them, in either direction.
#
# Teaches: modelling a channel by state variables, its failures as transitions like any other, and checking delivery
# by counting. The sender repeats a message until an acknowledgement with the same bit comes back; the receiver accepts
# a message only if its bit is the one it waits for, so that a repetition is not taken for the next message. IgnoredBit
# accepts whatever comes, and delivers a repeated message twice.
#
# A message carries its number in `data`; the protocol itself never looks at it.
#
# expect: AlternatingBit messages=3: holds, 27 states, 56 edges, 1 terminal
# expect: AlternatingBit messages=10: holds, 90 states, 196 edges, 1 terminal
# expect: IgnoredBit messages=3: violated each_message_is_delivered_once_and_in_order, 11 states, 14 edges, 5 steps
# expect: AlternatingBit messages=3 stubborn=auto: holds, 1 terminal
# expect: IgnoredBit messages=3 stubborn=auto: violated each_message_is_delivered_once_and_in_order

from asset import Int, Model, invariant, terminal, transition, when


class AlternatingBit(Model):
    """One sender, one receiver, a lossy channel with room for one message in each direction."""

    messages: int = 3

    def state(self):
        self.sent = Int(0, self.messages)  # acknowledged so far; also the number of the message being sent
        self.send_bit = False

        self.data_sent = False  # is there a message in the channel?
        self.data_bit = False
        self.data = Int(0, self.messages)

        self.received = Int(0, self.messages)  # accepted so far
        self.wanted_bit = False
        self.accepted = Int(0, self.messages)  # the number after that of the message accepted last

        self.ack_sent = False  # is there an acknowledgement in the channel?
        self.ack_bit = False

    @transition
    def send(self):
        """Sends the current message, or sends it again: the sender cannot know whether it was lost."""
        when(self.sent < self.messages and not self.data_sent)
        self.data_sent = True
        self.data_bit = self.send_bit
        self.data = self.sent

    @transition
    def lose_data(self):
        when(self.data_sent)
        self.empty_data_channel()

    @transition
    def receive(self):
        """Accepts the message if it is the wanted one, and acknowledges it in any case."""
        when(self.data_sent and not self.ack_sent)
        self.ack_sent = True
        self.ack_bit = self.data_bit
        if self.is_wanted():
            self.received += 1
            self.accepted = self.data + 1
            self.wanted_bit = not self.wanted_bit
        self.empty_data_channel()

    @transition
    def lose_ack(self):
        when(self.ack_sent)
        self.empty_ack_channel()

    @transition
    def receive_ack(self):
        when(self.ack_sent)
        if self.ack_bit == self.send_bit and self.sent < self.messages:
            self.sent += 1
            self.send_bit = not self.send_bit
        self.empty_ack_channel()

    def is_wanted(self):
        return self.data_bit == self.wanted_bit

    # An empty channel has one representation only: what used to be in it must not tell states apart.

    def empty_data_channel(self):
        self.data_sent = False
        self.data_bit = False
        self.data = 0

    def empty_ack_channel(self):
        self.ack_sent = False
        self.ack_bit = False

    @invariant
    def each_message_is_delivered_once_and_in_order(self):
        return self.accepted == self.received

    @terminal
    def everything_arrived(self):
        return self.sent == self.messages and self.received == self.messages


class IgnoredBit(AlternatingBit):
    """Wrong: the receiver does not look at the bit."""

    def is_wanted(self):
        return self.received < self.messages
