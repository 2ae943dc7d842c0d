"""Queens on a board, row by row: none attacks another."""

from itertools import combinations

from asset import Int, Model, Queue, invariant, transition, when


class Queens(Model):
    n: int = 5

    def state(self):
        self.placed = Queue(self.n, Int(0, self.n - 1))

    @transition(column="n")
    def place(self, column):
        row = len(self.placed)
        when(row < self.n)
        when(not any(c == column or abs(c - column) == row - r for r, c in enumerate(self.placed)))
        self.placed.append(column)

    @invariant
    def unsolved(self):
        return len(self.placed) < self.n

    @invariant
    def valid(self):
        rows = list(self.placed)
        pairs = [(a, b) for a, b in combinations(range(self.n), 2) if b < len(rows)]
        return all(rows[a] != rows[b] and abs(rows[a] - rows[b]) != b - a for a, b in pairs)
