# The towers of Hanoi: discs on three pegs, one moved at a time, never onto a smaller one.
#
# Teaches: choosing the state variables well. A peg's discs always lie in order of size, so it is enough to know the peg
# of each disc, and the top of a peg is its smallest disc. As in river_crossing, the claim "not solved" is violated by
# the shortest solution: 2**discs - 1 moves.
#
# expect: discs=3: violated not_solved, 22 states, 49 edges, 7 steps
# expect: discs=6: violated not_solved, 708 states, 1963 edges, 63 steps

from asset import Array, Int, Model, invariant, transition, when

PEGS = 3


class Hanoi(Model):
    """The discs are to go from peg 0 to peg 2; disc 0 is the smallest."""

    discs: int = 4

    def state(self):
        self.peg = Array(self.discs, Int(0, PEGS - 1))

    @transition(disc="discs", to=PEGS)
    def move(self, disc, to):
        when(self.peg[disc] != to)
        when(all(self.peg[smaller] not in (self.peg[disc], to) for smaller in range(disc)))
        self.peg[disc] = to

    @invariant
    def not_solved(self):
        return any(peg != PEGS - 1 for peg in self.peg)
