"""Dekker's algorithm."""

from asset import Int, Model, invariant, process, when


class Dekker(Model):
    def state(self):
        self.wants = [False, False]
        self.turn = Int(0, 1)

    @process(i=2)
    def p(self, i):
        other = 1 - i
        while True:
            self.wants[i] = True
            yield
            while self.wants[other]:
                yield
                if self.turn != i:
                    yield
                    self.wants[i] = False
                    yield
                    when(self.turn == i)
                    yield
                    self.wants[i] = True
                    yield
            yield "critical"
            self.turn = other
            yield
            self.wants[i] = False
            yield

    @invariant
    def exclusion(self):
        return not all(self.at(self.p, i, "critical") for i in range(2))
