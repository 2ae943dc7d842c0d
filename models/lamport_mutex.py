"""Mutual exclusion by messages and logical clocks: the request with the earlier time stamp enters first.

Whoever wants to enter sends a request with its clock to all others, and enters when all have answered and no request
that it knows is earlier; equal stamps are decided by the number of the sender. Channels keep the order of messages.
Teaches: texts as names, an Array of Queues, tuples that compare lexicographically, helpers that return sets.
With three clients and clocks up to 4 there are 60,366 states and 201,955 edges.
"""

# expect: LamportMutex n=2 last=6: holds, 918 states, 1500 edges
# expect: Impatient n=2 last=4: violated one_inside

from asset import Array, Int, Model, OneOf, Queue, Set, invariant, transition, when


class LamportMutex(Model):
    n: int = 3
    last: int = 4  # a clock that has come here makes no more requests

    def state(self):
        self.clock = Array(self.n, Int(1, self.last))
        self.request = Array(self.n, Array(self.n, Int(0, self.last)))  # request[i][j]: the stamp of j, as i knows it
        self.answered = Array(self.n, Set(self.n))
        message = (OneOf("request", "answer", "release"), Int(0, self.last))
        self.channel = Array(self.n, Array(self.n, Queue(3, message)))
        self.inside = Set(self.n)

    def others(self, i):
        return [j for j in range(self.n) if j != i]

    def is_first(self, i, j):
        """Whether i may go before j, as far as i knows."""
        return self.request[i][j] == 0 or (self.request[i][i], i) < (self.request[i][j], j)

    @transition(i="n")
    def ask(self, i):
        when(self.request[i][i] == 0 and self.clock[i] < self.last)
        self.request[i][i] = self.clock[i]
        self.answered[i] = {i}
        for j in self.others(i):
            self.channel[i][j].append(("request", self.clock[i]))

    @transition(i="n")
    def enter(self, i):
        when(i not in self.inside and self.may_enter(i))
        when(all(self.is_first(i, j) for j in range(self.n) if j != i))
        self.inside.add(i)

    def may_enter(self, i):
        return self.answered[i] == set(range(self.n))

    @transition(i="n")
    def leave(self, i):
        when(i in self.inside)
        self.inside.remove(i)
        self.request[i][i] = 0
        self.answered[i].clear()
        for j in self.others(i):
            self.channel[i][j].append(("release", 0))

    @transition(i="n", j="n")
    def receive(self, i, j):
        when(self.channel[j][i])
        kind, stamp = self.channel[j][i].popleft()
        match kind:
            case "request":
                self.request[i][j] = stamp
                self.clock[i] = min(max(self.clock[i], stamp) + 1, self.last)
                self.channel[i][j].append(("answer", 0))
            case "answer":
                self.answered[i].add(j)
            case "release":
                self.request[i][j] = 0

    @invariant
    def one_inside(self):
        return len(self.inside) <= 1


class Impatient(LamportMutex):
    """Enters without an answer."""

    def may_enter(self, i):
        return i in self.answered[i]
