# Stop-and-wait over channels that lose messages: a property of what happens again and again.
#
# Teaches: `recurrent`, `@terminates`, and obligation rules that depend on the state.
#
# The sender repeats a message, marked with a bit, until it is acknowledged; the receiver delivers it once, and
# acknowledges it as often as it comes. Nothing can be promised if the channels lose everything. But an
# acknowledgement that comes through brings the next message into play, so if that happens again and again, messages
# are delivered again and again. (It is not enough that messages come through: they may all be the same one.) The sender
# may stop for good, so that every run can be brought to an end.
#
# A DeafSender does not listen to acknowledgements, and repeats its first message for ever.
#
# expect: LossyChannel: holds, 92 states, 258 edges, 4 terminal
# expect: LossyChannel stubborn=hand: holds, 64 states, 126 edges, 4 terminal
# expect: DeafSender: violated delivered, 24 states, 60 edges, 2 terminal
# expect: DeafSender stubborn=hand: violated delivered, 16 states, 29 edges, 2 terminal

from asset import Int, Model, obligations, recurrent, stb, terminal, terminates, transition, when

NOTHING = 2  # in a channel that carries bits


@terminates
class LossyChannel(Model):
    """A sender and a receiver, with a channel of one place in each direction."""

    def state(self):
        self.bit = Int(0, 1)  # the mark of the message that is being sent
        self.expected = Int(0, 1)  # the mark of the message that the receiver has not had yet
        self.stopped = False
        self.channel = Int(0, 2, NOTHING)
        self.inbox = Int(0, 2, NOTHING)
        self.back = Int(0, 2, NOTHING)  # the channel for acknowledgements

    @transition
    def stop(self):
        when(not self.stopped)
        self.stopped = True

    @transition
    def send(self):
        when(not self.stopped and self.channel == NOTHING)
        self.channel = self.bit

    @transition
    def lose_message(self):
        when(self.channel != NOTHING)
        self.channel = NOTHING

    @transition
    def pass_message(self):
        when(self.channel != NOTHING and self.inbox == NOTHING)
        self.inbox = self.channel
        self.channel = NOTHING

    @transition
    def deliver(self):
        when(self.inbox == self.expected and self.back == NOTHING)
        self.expected = 1 - self.expected
        self.acknowledge()

    @transition
    def ignore_copy(self):
        when(self.inbox == 1 - self.expected and self.back == NOTHING)
        self.acknowledge()

    def acknowledge(self):
        self.back = self.inbox
        self.inbox = NOTHING

    @transition
    def lose_acknowledgement(self):
        when(self.back != NOTHING)
        self.back = NOTHING

    @transition
    def pass_acknowledgement(self):
        when(self.back != NOTHING)
        if self.back == self.bit:
            self.acknowledged()
        self.back = NOTHING

    def acknowledged(self):
        self.bit = 1 - self.bit

    delivered = recurrent(pass_acknowledgement, then=deliver)

    @terminal
    def stopped_for_good(self):
        return self.stopped

    # Rules: if a transition is disabled, what must happen before it is enabled; otherwise what it competes with.

    @obligations(stop)
    def stop_obliges(self):
        if not self.stopped:
            stb(self.send)

    @obligations(send)
    def send_obliges(self):
        if self.stopped:
            return
        if self.channel == NOTHING:
            stb(self.stop)
            stb(self.pass_acknowledgement)  # may change the bit
        else:
            stb(self.lose_message)
            stb(self.pass_message)

    @obligations(lose_message)
    def lose_message_obliges(self):
        if self.channel == NOTHING:
            stb(self.send)
        else:
            stb(self.pass_message)

    @obligations(pass_message)
    def pass_message_obliges(self):
        if self.channel == NOTHING:
            stb(self.send)
        elif self.inbox == NOTHING:
            stb(self.lose_message)
        else:
            stb(self.deliver)
            stb(self.ignore_copy)

    @obligations(deliver)
    def deliver_obliges(self):
        if self.inbox == NOTHING:
            stb(self.pass_message)
        elif self.inbox != self.expected:
            stb(self.ignore_copy)
        elif self.back != NOTHING:
            stb(self.lose_acknowledgement)
            stb(self.pass_acknowledgement)

    @obligations(ignore_copy)
    def ignore_copy_obliges(self):
        if self.inbox == NOTHING:
            stb(self.pass_message)
        elif self.inbox == self.expected:
            stb(self.deliver)
        elif self.back != NOTHING:
            stb(self.lose_acknowledgement)
            stb(self.pass_acknowledgement)

    @obligations(lose_acknowledgement)
    def lose_acknowledgement_obliges(self):
        if self.back == NOTHING:
            stb(self.deliver)
            stb(self.ignore_copy)
        else:
            stb(self.pass_acknowledgement)

    @obligations(pass_acknowledgement)
    def pass_acknowledgement_obliges(self):
        if self.back == NOTHING:
            stb(self.deliver)
            stb(self.ignore_copy)
        else:
            stb(self.lose_acknowledgement)
            stb(self.send)  # sends the bit that an acknowledgement may change


class DeafSender(LossyChannel):
    """Wrong: whatever is acknowledged, the sender repeats its first message."""

    def acknowledged(self):
        pass
