"""The towers of Hanoi as lists: a move is a pair of towers."""

from itertools import permutations  # noqa: F401 (in the indices)

from asset import Int, Model, Queue, invariant, transition, when


class Hanoi(Model):
    discs: int = 4

    def state(self):
        self.towers = [Queue(self.discs, Int(1, self.discs)) for _ in range(3)]
        self.towers[0].extend(range(self.discs, 0, -1))

    @transition(move="permutations(range(3), 2)")
    def move(self, move):
        a, b = move
        when(self.towers[a])
        when(not self.towers[b] or self.towers[b][-1] > self.towers[a][-1])
        self.towers[b].append(self.towers[a].pop())

    @invariant
    def unsolved(self):
        return len(self.towers[2]) != self.discs

    @invariant
    def ordered(self):
        return all(list(tower) == sorted(tower, reverse=True) for tower in self.towers)
