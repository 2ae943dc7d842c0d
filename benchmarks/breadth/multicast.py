# A reliable multicast: a sender sends numbered messages to n receivers over links that lose them, each receiver
# acknowledges, and the sender goes on when all have; meanwhile receivers tell each other what they have.
#
# peers/multicast.pml is the same system for SPIN.

from asset import Array, Int, Model, invariant, transition, when


class Multicast(Model):
    n: int = 5
    numbers: int = 4

    def state(self):
        self.sending = Int(0, self.numbers - 1)
        self.link = Array(self.n, Int(0, self.numbers))  # a number on its way, plus one
        self.has = Array(self.n, Int(0, self.numbers - 1))  # the next that is expected
        self.ack = Array(self.n, False)  # an acknowledgement on its way
        self.heard = Array(self.n, False)  # by the sender, of the number that is being sent
        self.gossip = Array(self.n, False)  # has heard from its neighbour that it has the number

    @transition(i="n")
    def send(self, i):
        when(self.link[i] == 0 and not self.heard[i])
        self.link[i] = self.sending + 1

    @transition(i="n")
    def lose(self, i):
        when(self.link[i] != 0)
        self.link[i] = 0

    @transition(i="n")
    def deliver(self, i):
        when(self.link[i] != 0 and not self.ack[i])
        if self.link[i] - 1 == self.has[i]:
            self.has[i] = (self.has[i] + 1) % self.numbers
        self.link[i] = 0
        self.ack[i] = True

    @transition(i="n")
    def tell(self, i):
        when(self.has[i] == (self.sending + 1) % self.numbers and not self.gossip[(i + 1) % self.n])
        self.gossip[(i + 1) % self.n] = True

    @transition(i="n")
    def lose_ack(self, i):
        when(self.ack[i])
        self.ack[i] = False

    @transition(i="n")
    def hear(self, i):
        when(self.ack[i])
        self.ack[i] = False
        if self.has[i] == (self.sending + 1) % self.numbers:
            self.heard[i] = True

    @transition
    def next_number(self):
        when(all(self.heard) and all(self.gossip) and not any(self.ack) and not any(link != 0 for link in self.link))
        self.sending = (self.sending + 1) % self.numbers
        for i in range(self.n):
            self.heard[i] = False
            self.gossip[i] = False

    @invariant
    def nobody_is_ahead(self):
        return all(has in (self.sending, (self.sending + 1) % self.numbers) for has in self.has)
