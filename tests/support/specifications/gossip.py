"""Gossip: calls in which two tell each other all they know; everybody learns everything."""

from asset import Array, Model, Set, invariant, terminal, transition, when


class Gossip(Model):
    n: int = 4

    def state(self):
        self.knows = Array(self.n, Set(self.n))
        for i in range(self.n):
            self.knows[i].add(i)

    @transition(a="n", b="n")
    def call(self, a, b):
        when(a < b and self.knows[a] != self.knows[b])
        both = self.knows[a] | self.knows[b]
        self.knows[a] = self.knows[b] = both

    @property
    def everyone(self):
        return frozenset(range(self.n))

    @terminal
    def all_know(self):
        return all(k == self.everyone for k in self.knows)

    @invariant
    def some_call_missing(self):
        return all(i in self.knows[i] for i in range(self.n))
