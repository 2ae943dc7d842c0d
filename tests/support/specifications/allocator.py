"""A simple allocator: clients ask for sets of resources, get some of them, and return them."""

from asset import Array, Model, Set, invariant, subsets, transition, when  # noqa: F401 (subsets: in the indices)


class Allocator(Model):
    clients: int = 2
    resources: int = 2

    def state(self):
        self.wants = Array(self.clients, Set(self.resources))
        self.has = Array(self.clients, Set(self.resources))

    @property
    def available(self):
        return {r for r in range(self.resources)} - {
            r for c in range(self.clients) for r in range(self.resources) if r in self.has[c]
        }

    @transition(c="clients", rs="[s for s in subsets(resources) if s]")
    def request(self, c, rs):
        when(not self.wants[c] and not self.has[c])
        self.wants[c] = rs

    @transition(c="clients", rs="[s for s in subsets(resources) if s]")
    def allocate(self, c, rs):
        when(rs <= self.available and rs <= self.wants[c])
        self.has[c] |= rs
        self.wants[c] -= rs

    @transition(c="clients", rs="[s for s in subsets(resources) if s]")
    def give_back(self, c, rs):
        when(rs <= self.has[c])
        self.has[c] -= rs

    @invariant
    def exclusive(self):
        return all(self.has[a].isdisjoint(self.has[b]) for a in range(self.clients) for b in range(a))
