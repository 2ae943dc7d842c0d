# Leader election in a ring with channels: everyone sends its number round, and only larger ones are passed on.
#
# After Chang and Roberts. Stations may wake up late; a message that arrives wakes its station up without a candidacy.
# peers/election.pml is the same system for SPIN.

from enum import IntEnum

from asset import Array, Int, Model, Queue, invariant, transition, when


class Is(IntEnum):
    ASLEEP = 0
    CANDIDATE = 1
    BEATEN = 2
    LEADER = 3


class Election(Model):
    n: int = 6

    def state(self):
        self.role = Array(self.n, Is.ASLEEP)
        self.known = Array(self.n, Int(0, self.n))  # the leader, plus one
        self.wire = Array(self.n, Queue(self.n, Int(0, 2 * self.n - 1)))  # an election, or n plus a leader

    @transition(i="n")
    def wake(self, i):
        when(self.role[i] == Is.ASLEEP and len(self.wire[(i + 1) % self.n]) < self.n)
        self.role[i] = Is.CANDIDATE
        self.wire[(i + 1) % self.n].put((i * 5 + 2) % self.n)

    @transition(i="n")
    def handle(self, i):
        when(len(self.wire[i]) > 0 and len(self.wire[(i + 1) % self.n]) < self.n)
        message = self.wire[i].get()
        mine = (i * 5 + 2) % self.n
        if message >= self.n:
            if self.role[i] != Is.LEADER:
                self.role[i] = Is.BEATEN
                self.known[i] = message - self.n + 1
                self.wire[(i + 1) % self.n].put(message)
        elif message > mine:
            if self.role[i] != Is.LEADER:
                self.role[i] = Is.BEATEN
            self.wire[(i + 1) % self.n].put(message)
        elif message == mine:
            self.role[i] = Is.LEADER
            self.known[i] = mine + 1
            self.wire[(i + 1) % self.n].put(self.n + mine)
        elif self.role[i] == Is.ASLEEP:
            self.role[i] = Is.BEATEN

    @invariant
    def at_most_one_leader(self):
        return sum(role == Is.LEADER for role in self.role) <= 1
