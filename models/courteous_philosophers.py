# Courteous philosophers: each takes the forks in any order, and puts one back if the other is missing.
#
# Teaches: a symmetry of turning and of reflecting. Round a table, everyone can move on by one place; and as nobody
# prefers a side, the table can also be seen in a mirror, left hands for right hands. That makes 2n symmetries for n
# philosophers, all found by `--symmetry auto`. Philosophers who take the left fork first (philosophers.py) can only be
# turned.
#
# Whoever holds one fork and cannot have the other puts it back, so there is no deadlock; but they may go on like that
# for ever. So `somebody_eats` always remains possible, as `@may_progress` says, but need not happen.
#
# expect: n=3: holds, 27 states, 99 edges, 0 terminal
# expect: n=3 symmetry=auto: holds, 7 states, 27 edges, 0 terminal
# expect: n=5 symmetry=auto: holds, 30 states, 187 edges, 0 terminal

from asset import Array, Model, invariant, may_progress, transition, when


class CourteousPhilosophers(Model):
    """n philosophers; fork i lies between philosophers i - 1 and i."""

    n: int = 4

    def state(self):
        self.left = Array(self.n, False)  # philosopher i holds fork i
        self.right = Array(self.n, False)  # philosopher i holds fork i + 1

    @transition(i="n")
    def take_left(self, i):
        when(not self.left[i] and not self.right[(i - 1) % self.n])
        self.left[i] = True

    @transition(i="n")
    def take_right(self, i):
        when(not self.right[i] and not self.left[(i + 1) % self.n])
        self.right[i] = True

    @transition(i="n")
    def put_back(self, i):
        when(self.left[i] or self.right[i])
        self.left[i] = False
        self.right[i] = False

    @invariant
    def nobody_shares_a_fork(self):
        return not any(self.left[i] and self.right[(i - 1) % self.n] for i in range(self.n))

    @may_progress
    def somebody_eats(self):
        return any(self.left[i] and self.right[i] for i in range(self.n))
