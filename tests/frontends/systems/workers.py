from asset import Array, Int, Model, obligations, terminal, transition, when


class Workers(Model):
    """Workers who have nothing to do with each other: any order of their steps will do, and any names."""

    n: int = 3

    def state(self):
        self.step = Array(self.n, Int(0, 2))

    @transition(i="n")
    def work(self, i):
        when(self.step[i] < 2)
        self.step[i] += 1

    @obligations(work)
    def no_others(self, i):
        pass

    @terminal
    def done(self):
        return all(step == 2 for step in self.step)

    def symmetry_representative(self):
        for i in range(self.n):
            for j in range(i + 1, self.n):
                if self.step[j] < self.step[i]:
                    smaller = self.step[j]
                    self.step[j] = self.step[i]
                    self.step[i] = smaller
