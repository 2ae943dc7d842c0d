"""Models that sum, count and search what is made of a row on the way: tuples of the state, rows of constants."""

from __future__ import annotations

from asset import Array, Int, Map, Model, Queue, Record, Set, invariant, transition, when

# The language is dynamic Python: state variables are declared by running state().
# mypy: ignore-errors

QUORUMS = {0: (0, 1), 1: (1, 2), 2: (2, 0)}
DELAYS = {0: {0: 2, 1: 1}, 1: {0: 0, 1: 1}, 2: {0: 1, 1: 2}}


class Reading(Record):
    level: Int(0, 2)
    fresh: bool

    def parts(self):
        return self.level, int(self.fresh)


class Gauges(Model):
    """What a generator expression goes over is made first, from an item that an index of the transition names."""

    def state(self):
        self.pair = (Int(0, 2), Int(0, 2, 1))
        self.pairs = Array(3, (Int(0, 2), Int(0, 2)))
        self.seen = Set(3)
        self.of = Array(3, Reading(Int(0, 2)))
        self.by = Map(3, (Int(0, 2), Int(0, 2)))
        self.queue = Queue(2, (Int(0, 2), Int(0, 2)))
        self.out = Int(0, 99)

    @transition(i=3)
    def turn(self, i):
        first, second = self.pair
        self.pair = (second, i)
        self.pairs[i] = (first, i)
        self.of[i] = Reading(second, first > 0)
        self.by[first] = self.pair

    @transition(i=3)
    def see(self, i):
        self.seen ^= {i}
        if self.queue.full():
            self.queue.clear()
        self.queue.put(self.pairs[i])

    @transition
    def of_the_state(self):
        self.out = 10 * sum(x for x in self.pair if x in self.seen) + sum(x > 0 for x in self.pair)

    @transition(i=3)
    def of_a_row(self, i):
        when(all(x in self.seen for x in self.pairs[i]))
        self.out = 40 + max((x + 1 for x in self.pairs[i]), default=0)

    @transition(i=3)
    def of_a_constant(self, i):
        when(not any(q in self.seen for q in QUORUMS[i]))
        self.out = sum(self.pairs[q][0] for q in QUORUMS[i])

    @transition(i=3)
    def of_a_constant_in_a_constant(self, i):
        self.out = sum(d for d in DELAYS[i].values() if d in self.seen) + 9 * len([d for d in DELAYS[i] if d > 0])

    @transition(i=3)
    def of_what_a_method_returns(self, i):
        self.out = sum(x * x for x in self.of[i].parts()) + 20 * any(x == 2 for x in self.of[i].parts())

    @transition(i=3)
    def of_an_item(self, i):
        when(i in self.by and self.queue)
        self.out = 50 + sum(x for x in self.by[i]) + 5 * sum(x for x in self.queue[-1])

    @transition
    def of_each(self):
        self.out = sum(x for i in range(3) for x in self.pairs[i]) + 10 * all(
            x > 0 for i in range(3) for x in QUORUMS[i]
        )

    @invariant
    def is_small(self):
        return all(0 <= x <= 2 for x in self.pair) and sum(1 for x in self.pair if x == 2) < 3
