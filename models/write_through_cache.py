"""A memory with a cache for each processor, that behaves as the memory alone would.

A processor asks for a read or a write, the cache does it when it can, and answers. A write goes to the bus and into the
other caches that have the address; the memory takes what is on the bus later. A line of a cache may be dropped at any
time, unless a read needs it. Teaches: maps from texts, values that are None, an interface of requests and answers, and
how an implementation is compared with what it implements: `latest` is the memory that it pretends to be.
With two processors, two addresses and two values there are 21,521 states and 136,732 edges.
"""

# expect: WriteThroughCache processors=1: holds, 601 states, 1950 edges
# expect: Stale processors=2: violated caches_agree

from asset import Array, Int, Map, Model, OneOf, Optional, Queue, invariant, transition, when

ADDRESSES = ("x", "y")


class WriteThroughCache(Model):
    processors: int = 2
    values: int = 2
    bus_length: int = 1

    def state(self):
        value, address = Int(0, self.values - 1), OneOf(*ADDRESSES)
        self.memory = {a: value for a in ADDRESSES}
        self.cache = Array(self.processors, Map(ADDRESSES, value))
        self.request = Array(self.processors, Optional((OneOf("read", "write"), address, value)))
        self.answer = Array(self.processors, Optional(value))
        self.bus = Queue(self.bus_length, (address, value))  # writes on their way to the memory

    def latest(self, address):
        """What the memory will be, when all that is on the bus has come there."""
        value = self.memory[address]
        for a, v in self.bus:
            if a == address:
                value = v
        return value

    @transition(p="processors", a=ADDRESSES)
    def ask_for(self, p, a):
        when(self.request[p] is None)
        self.answer[p] = None
        self.request[p] = ("read", a, 0)

    @transition(p="processors", a=ADDRESSES, v="values")
    def ask_to_write(self, p, a, v):
        when(self.request[p] is None)
        self.answer[p] = None
        self.request[p] = ("write", a, v)

    @transition(p="processors")
    def fetch(self, p):
        """A read of what is not in the cache."""
        when(self.request[p] is not None)
        kind, a, _ = self.request[p]
        when(kind == "read" and a not in self.cache[p])
        self.cache[p][a] = self.latest(a)

    @transition(p="processors")
    def read(self, p):
        when(self.request[p] is not None)
        kind, a, _ = self.request[p]
        when(kind == "read" and a in self.cache[p])
        self.answer[p] = self.cache[p][a]
        self.request[p] = None

    @transition(p="processors")
    def write(self, p):
        when(self.request[p] is not None and not self.bus.full())
        kind, a, v = self.request[p]
        when(kind == "write")
        self.cache[p][a] = v
        self.bus.append((a, v))
        self.tell_others(p, a, v)
        self.answer[p] = v
        self.request[p] = None

    def tell_others(self, p, a, v):
        for q in range(self.processors):
            if q != p and a in self.cache[q]:
                self.cache[q][a] = v

    @transition
    def store(self):
        when(self.bus)
        a, v = self.bus.popleft()
        self.memory[a] = v

    @transition(p="processors", a=ADDRESSES)
    def drop(self, p, a):
        when(a in self.cache[p] and not self.is_reading(p, a))
        del self.cache[p][a]

    def is_reading(self, p, a):
        return self.request[p] == ("read", a, 0)

    @invariant
    def caches_agree(self):
        return all(value == self.latest(a) for p in range(self.processors) for a, value in self.cache[p].items())


class Stale(WriteThroughCache):
    """The other caches keep what they have."""

    def tell_others(self, p, a, v):
        pass
