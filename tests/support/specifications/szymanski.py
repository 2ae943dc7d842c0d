"""Szymanski's algorithm; looking at all others is one step."""

from asset import Array, Int, Model, invariant, process, when


class Szymanski(Model):
    n: int = 3

    def state(self):
        self.flag = Array(self.n, Int(0, 4))

    def others(self, i):
        return [self.flag[j] for j in range(self.n) if j != i]

    @process(i="n")
    def p(self, i):
        while True:
            self.flag[i] = 1
            yield
            when(all(f in {0, 1, 2} for f in self.others(i)))
            yield
            self.flag[i] = 3
            yield
            if 1 in self.others(i):
                self.flag[i] = 2
                yield
                when(4 in self.others(i))
            yield
            self.flag[i] = 4
            yield
            when(all(self.flag[j] in (0, 1) for j in range(i)))
            yield "critical"
            when(all(self.flag[j] not in (2, 3) for j in range(i + 1, self.n)))
            self.flag[i] = 0
            yield

    @invariant
    def exclusion(self):
        return sum(self.at(self.p, i, "critical") for i in range(self.n)) <= 1
