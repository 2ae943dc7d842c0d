# A sliding window protocol over channels that lose messages: up to `window` messages are on their way at a time.
#
# Go back n: the receiver takes the next number only and acknowledges what it has, the sender sends again from the first
# that is not acknowledged. Numbers are modulo n. peers/window.pml is the same system for SPIN.

from asset import Int, Model, Queue, invariant, transition, when


class SlidingWindow(Model):
    n: int = 5
    window: int = 4
    room: int = 5

    def state(self):
        self.first = Int(0, self.n - 1)  # not acknowledged
        self.sent = Int(0, self.window)  # how many from there on were sent
        self.wanted = Int(0, self.n - 1)  # by the receiver
        self.got = Int(0, self.window)  # redundant: what was received and is not acknowledged to the sender
        self.data = Queue(self.room, Int(0, self.n - 1))
        self.acks = Queue(self.room, Int(0, self.n - 1))

    @transition
    def send(self):
        when(self.sent < self.window and len(self.data) < self.room)
        self.data.put((self.first + self.sent) % self.n)
        self.sent += 1

    @transition
    def send_again(self):
        when(self.sent > 0 and len(self.data) < self.room)
        self.data.put(self.first)
        self.sent = 1

    @transition
    def lose_data(self):
        when(len(self.data) > 0)
        self.data.get()

    @transition
    def lose_ack(self):
        when(len(self.acks) > 0)
        self.acks.get()

    @transition
    def receive(self):
        when(len(self.data) > 0 and len(self.acks) < self.room)
        number = self.data.get()
        if number == self.wanted:
            self.wanted = (self.wanted + 1) % self.n
            self.got += 1
        self.acks.put(self.wanted)

    @transition
    def acknowledged(self):
        when(len(self.acks) > 0)
        upto = self.acks.get()
        distance = (upto - self.first + self.n) % self.n
        if distance <= self.got:
            self.first = upto
            self.got -= distance
            self.sent = self.sent - distance if self.sent > distance else 0

    @invariant
    def the_receiver_is_within_the_window(self):
        return (self.first + self.got) % self.n == self.wanted
