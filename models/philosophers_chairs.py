# Dining philosophers with a chair less than there are philosophers: nobody waits for ever.
#
# Teaches: a process whose local variable is no state, as `right` never changes. Its steps are in the order of the text,
# so what a philosopher does next need not be declared as state. Everyone takes the left fork first, which
# is a deadlock if all do it at the same time (philosophers.py); with n - 1 chairs it cannot happen.
#
# expect: n=2: holds, 7 states, 8 edges, 0 terminal
# expect: n=3: holds, 31 states, 63 edges, 0 terminal
# expect: n=4: holds, 127 states, 376 edges, 0 terminal
# expect: n=5: holds, 491 states, 1895 edges, 0 terminal
# expect: n=6: holds, 1843 states, 8748 edges, 0 terminal
# expect: n=7: holds, 6791 states, 38171 edges, 0 terminal
# expect: n=13 only=safety,deadlock: holds, 14741195 states

from asset import Array, Int, Model, invariant, may_progress, process, terminal, when


class ChairsPhilosophers(Model):
    n: int = 5

    def state(self):
        self.seated = Int(0, self.n - 1)
        self.taken = Array(self.n, False)  # fork p is at the left of philosopher p

    @process(p="n")
    def philosopher(self, p):
        right = (p + 1) % self.n
        while True:
            when(self.seated < self.n - 1)
            self.seated += 1
            yield
            when(not self.taken[p])
            self.taken[p] = True
            yield
            when(not self.taken[right])
            self.taken[right] = True
            yield "eating"
            self.taken[p] = self.taken[right] = False
            self.seated -= 1
            yield

    @invariant
    def neighbours_do_not_eat_together(self):
        return not any(
            self.at(self.philosopher, p, "eating") and self.at(self.philosopher, (p + 1) % self.n, "eating")
            for p in range(self.n)
        )

    @terminal
    def never(self):
        return False

    @may_progress
    def philosopher_0_may_eat(self):
        return self.at(self.philosopher, 0, "eating")
