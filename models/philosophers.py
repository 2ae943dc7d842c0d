# The dining philosophers: n philosophers round a table, a fork between each two of them.
#
# Teaches: finding a deadlock. Whoever has taken one fork waits for the other; if everyone takes the fork on the same
# side first, all may wait for ever. `@terminal` says which states a run may end in, so this is reported with the
# shortest way into it. OrderedPhilosophers mends it by one override: the fork with the smaller number first.
#
# A philosopher may also leave the table for good. Models whose runs can end are easier to check: "nobody starves"
# becomes "if nothing more can happen, everyone has left".
#
# expect: Philosophers n=3: violated everyone_has_left, 45 states, 101 edges, 3 steps
# expect: Philosophers n=5: violated everyone_has_left, 563 states, 2185 edges, 5 steps
# expect: Philosophers n=5 symmetry=auto: violated everyone_has_left, 115 states, 449 edges, 5 steps
# expect: OrderedPhilosophers n=3: holds, 42 states, 103 edges, 1 terminal
# expect: OrderedPhilosophers n=5: holds, 534 states, 2195 edges, 1 terminal
# expect: Philosophers n=3 stubborn=auto: violated everyone_has_left
# expect: OrderedPhilosophers n=5 stubborn=auto: holds, 1 terminal

from enum import IntEnum

from asset import Array, Model, invariant, terminal, transition, when


class Doing(IntEnum):
    THINKING = 0
    WAITING = 1  # has taken the first fork, wants the second one
    EATING = 2
    LEFT = 3


class Philosophers(Model):
    """Everyone takes the left fork first."""

    n: int = 5

    def state(self):
        self.doing = Array(self.n, Doing.THINKING)
        self.taken = Array(self.n, False)  # fork i lies to the left of philosopher i

    @transition(i="n")
    def take_first(self, i):
        when(self.doing[i] == Doing.THINKING and not self.taken[self.first(i)])
        self.taken[self.first(i)] = True
        self.doing[i] = Doing.WAITING

    @transition(i="n")
    def take_second(self, i):
        when(self.doing[i] == Doing.WAITING and not self.taken[self.second(i)])
        self.taken[self.second(i)] = True
        self.doing[i] = Doing.EATING

    @transition(i="n")
    def put_back(self, i):
        when(self.doing[i] == Doing.EATING)
        self.taken[self.first(i)] = False
        self.taken[self.second(i)] = False
        self.doing[i] = Doing.THINKING

    @transition(i="n")
    def leave(self, i):
        when(self.doing[i] == Doing.THINKING)
        self.doing[i] = Doing.LEFT

    def first(self, i):
        return i

    def second(self, i):
        return (i + 1) % self.n

    @invariant
    def neighbours_do_not_eat_together(self):
        return not any(
            self.doing[i] == Doing.EATING and self.doing[(i + 1) % self.n] == Doing.EATING for i in range(self.n)
        )

    @terminal
    def everyone_has_left(self):
        return all(doing == Doing.LEFT for doing in self.doing)


class OrderedPhilosophers(Philosophers):
    """The fork with the smaller number first: the last philosopher begins on the right, and no circle can close."""

    def first(self, i):
        return min(i, (i + 1) % self.n)

    def second(self, i):
        return max(i, (i + 1) % self.n)
