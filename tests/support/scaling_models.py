"""Models that grow in one direction each, to see what an analysis costs: more commands, or wider variables."""

from __future__ import annotations

from asset import Array, Int, Model, invariant, transition, when


class Counters(Model):
    """Processes that have nothing in common."""

    n: int = 10

    def state(self):
        self.count = Array(self.n, Int(0, 3))

    @transition(i="n")
    def step(self, i):
        when(self.count[i] < 3)
        self.count[i] += 1


class Ring(Model):
    """A token goes round; who has it works and passes it on."""

    n: int = 10

    def state(self):
        self.at = Array(self.n, Int(0, 2))
        self.token = Array(self.n, False)
        self.token[0] = True

    @transition(i="n")
    def begin(self, i):
        when(self.at[i] == 0)
        self.at[i] = 1

    @transition(i="n")
    def work(self, i):
        when(self.at[i] == 1 and self.token[i])
        self.at[i] = 2

    @transition(i="n")
    def leave(self, i):
        when(self.at[i] == 2)
        self.at[i] = 0
        self.token[i] = False
        self.token[(i + 1) % self.n] = True


class Pool(Model):
    """Clients of one semaphore: every pair of them is dependent, all for the same reason."""

    n: int = 10
    places: int = 3

    def state(self):
        self.inside = Array(self.n, False)
        self.free = Int(0, self.places, self.places)

    @transition(i="n")
    def enter(self, i):
        when(not self.inside[i] and self.free > 0)
        self.inside[i] = True
        self.free -= 1

    @transition(i="n")
    def leave(self, i):
        when(self.inside[i])
        self.inside[i] = False
        self.free += 1


class Bytes(Model):
    """Four transitions over variables of so many bits."""

    bits: int = 3

    def state(self):
        most = 2**self.bits - 1
        self.x = Int(0, most)
        self.y = Int(0, most)
        self.z = Int(0, most)

    @transition
    def up(self):
        when(self.x < 2**self.bits - 1)
        self.x += 1

    @transition
    def copy(self):
        self.y = self.x

    @transition
    def exchange(self):
        self.y, self.z = self.z, self.y

    @transition
    def mix(self):
        when(self.z > 2)
        self.z = (self.z * 3 + 1) % 2**self.bits

    @invariant
    def in_order(self):
        return self.x < 2**self.bits


class Swaps(Model):
    """Exchanges of any two places of a permutation."""

    n: int = 5

    def state(self):
        self.held = Array(self.n, Int(0, self.n - 1))
        for i in range(self.n):
            self.held[i] = i

    @transition(i="n", j="n")
    def swap(self, i, j):
        when(i < j)
        self.held[i], self.held[j] = self.held[j], self.held[i]


class Sorting(Model):
    """Exchanges of any two places that are out of order."""

    n: int = 5

    def state(self):
        self.held = Array(self.n, Int(0, self.n - 1))
        for i in range(self.n):
            self.held[i] = self.n - 1 - i

    @transition(i="n", j="n")
    def swap(self, i, j):
        when(i < j and self.held[i] > self.held[j])
        self.held[i], self.held[j] = self.held[j], self.held[i]


class Paxos(Model):
    """Single-decree Paxos: what was sent stays to be read."""

    acceptors: int = 3
    ballots: int = 2
    values: int = 2

    def state(self):
        self.asked = Array(self.ballots, False)
        self.promised = Array(self.acceptors, Int(-1, self.ballots - 1, -1))
        self.voted_in = Array(self.acceptors, Int(-1, self.ballots - 1, -1))
        self.voted_for = Array(self.acceptors, Int(-1, self.values - 1, -1))
        self.said = Array(self.acceptors, Array(self.ballots, False))
        self.said_in = Array(self.acceptors, Array(self.ballots, Int(-1, self.ballots - 1, -1)))
        self.said_for = Array(self.acceptors, Array(self.ballots, Int(-1, self.values - 1, -1)))
        self.proposed = Array(self.ballots, Int(-1, self.values - 1, -1))
        self.accepted = Array(self.acceptors, Array(self.ballots, False))

    @transition(b="ballots")
    def ask(self, b):
        when(not self.asked[b])
        self.asked[b] = True

    @transition(a="acceptors", b="ballots")
    def promise(self, a, b):
        when(self.asked[b] and self.promised[a] < b)
        self.promised[a] = b
        self.said[a][b] = True
        self.said_in[a][b] = self.voted_in[a]
        self.said_for[a][b] = self.voted_for[a]

    @transition(b="ballots", v="values")
    def propose(self, b, v):
        when(self.proposed[b] == -1)
        when(2 * sum(self.said[a][b] for a in range(self.acceptors)) > self.acceptors)
        last = max(self.said_in[a][b] for a in range(self.acceptors))
        when(last == -1 or any(self.said_in[a][b] == last and self.said_for[a][b] == v for a in range(self.acceptors)))
        self.proposed[b] = v

    @transition(a="acceptors", b="ballots")
    def accept(self, a, b):
        when(self.proposed[b] != -1 and self.promised[a] <= b and not self.accepted[a][b])
        self.promised[a] = b
        self.voted_in[a] = b
        self.voted_for[a] = self.proposed[b]
        self.accepted[a][b] = True

    def chosen(self, b):
        return 2 * sum(self.accepted[a][b] for a in range(self.acceptors)) > self.acceptors

    @invariant
    def agreement(self):
        return all(
            self.proposed[b] == self.proposed[c]
            for b in range(self.ballots)
            for c in range(self.ballots)
            if self.chosen(b) and self.chosen(c)
        )
