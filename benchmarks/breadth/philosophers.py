# Dining philosophers who keep what they do in bytes used as flags, as code for small controllers does.
#
# Each takes the fork at its left, then the one at its right, eats, and puts them down one after the other.
# peers/flag_philosophers.pml is the same system for SPIN.

from asset import Array, Int, Model, invariant, transition, when


class Philosophers(Model):
    n: int = 8

    def state(self):
        self.fork = Array(self.n, Int(0, 255))
        self.left = Array(self.n, Int(0, 255))
        self.right = Array(self.n, Int(0, 255))
        self.fed = Array(self.n, Int(0, 255))

    @transition(i="n")
    def take_left(self, i):
        when(self.left[i] == 0 and self.right[i] == 0 and self.fork[i] == 0)
        self.fork[i] = 1
        self.left[i] = 1

    @transition(i="n")
    def take_right(self, i):
        when(self.left[i] == 1 and self.right[i] == 0 and self.fed[i] == 0 and self.fork[(i + 1) % self.n] == 0)
        self.fork[(i + 1) % self.n] = 1
        self.right[i] = 1

    @transition(i="n")
    def eat(self, i):
        when(self.left[i] == 1 and self.right[i] == 1 and self.fed[i] == 0)
        self.fed[i] = 1

    @transition(i="n")
    def put_right(self, i):
        when(self.right[i] == 1 and self.fed[i] == 1)
        self.right[i] = 0
        self.fork[(i + 1) % self.n] = 0

    @transition(i="n")
    def put_left(self, i):
        when(self.left[i] == 1 and self.right[i] == 0 and self.fed[i] == 1)
        self.left[i] = 0
        self.fed[i] = 0
        self.fork[i] = 0

    @invariant
    def a_fork_is_held_by_who_has_taken_it(self):
        return all(self.fork[i] == 1 or self.left[i] == 0 for i in range(self.n))
