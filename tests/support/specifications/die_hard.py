"""Two jugs of 3 and 5 litres: can there be 4 litres in one?"""

from asset import Array, Int, Model, invariant, transition, when

SIZES = (3, 5)


class DieHard(Model):
    def state(self):
        self.jug = Array(2, Int(0, max(SIZES)))

    @transition(j=2)
    def fill(self, j):
        when(self.jug[j] < SIZES[j])
        self.jug[j] = SIZES[j]

    @transition(j=2)
    def empty(self, j):
        when(self.jug[j] > 0)
        self.jug[j] = 0

    @transition(j=2)
    def pour(self, j):
        other = 1 - j
        amount = min(self.jug[j], SIZES[other] - self.jug[other])
        when(amount)
        self.jug[j] -= amount
        self.jug[other] += amount

    @invariant
    def not_four(self):
        return 4 not in self.jug
