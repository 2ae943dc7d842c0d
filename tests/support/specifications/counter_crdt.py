"""A counter as a CRDT: replicas count up for themselves and down for themselves, and merge by maxima."""

from asset import Array, Int, Model, invariant, terminal, transition, when


class CRDT(Model):
    n: int = 2
    most: int = 1

    def state(self):
        one = Array(self.n, Int(0, self.most))
        self.up = Array(self.n, one)
        self.down = Array(self.n, one)

    @transition(i="n")
    def increment(self, i):
        when(self.up[i][i] < self.most)
        self.up[i][i] += 1

    @transition(i="n")
    def decrement(self, i):
        when(self.down[i][i] < self.most)
        self.down[i][i] += 1

    @transition(i="n", j="n")
    def merge(self, i, j):
        up = [max(a, b) for a, b in zip(self.up[i], self.up[j], strict=True)]
        down = [max(a, b) for a, b in zip(self.down[i], self.down[j], strict=True)]
        when(i != j and (up != self.up[i] or list(self.down[i]) != down))
        self.up[i], self.down[i] = up, down

    def value(self, i):
        return sum(self.up[i]) - sum(self.down[i])

    @invariant
    def known(self):
        return all(self.up[i][j] <= self.up[j][j] for i in range(self.n) for j in range(self.n))

    @terminal
    def agree(self):
        return len({self.value(i) for i in range(self.n)}) == 1
