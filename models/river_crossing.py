# A farmer takes a wolf, a goat and a cabbage across a river, in a boat that holds one of them.
#
# Teaches: solving a puzzle with a model checker. Claim that the puzzle cannot be solved; the shortest counterexample
# is the shortest solution. Also: indices and ranges that are the members of an enum.
#
# expect: violated not_solved, 10 states, 18 edges, 7 steps

from enum import IntEnum

from asset import Array, Model, invariant, transition, when


class Who(IntEnum):
    FARMER = 0
    WOLF = 1
    GOAT = 2
    CABBAGE = 3


class RiverCrossing(Model):
    """Who is on the far bank; all are on the near one at first."""

    def state(self):
        self.across = Array(4, False)

    @transition(passenger=Who)
    def cross(self, passenger):
        """The farmer crosses with a passenger, or alone if the passenger is the farmer."""
        when(self.across[passenger] == self.across[Who.FARMER])
        self.across[Who.FARMER] = not self.across[Who.FARMER]
        if passenger != Who.FARMER:
            self.across[passenger] = not self.across[passenger]
        when(not self.left_alone(Who.WOLF, Who.GOAT) and not self.left_alone(Who.GOAT, Who.CABBAGE))

    def left_alone(self, eater, eaten):
        return self.across[eater] == self.across[eaten] != self.across[Who.FARMER]

    @invariant
    def not_solved(self):
        return not all(self.across)
