from asset import Array, Int, Model, transition


class Overflow(Model):
    """Counters that nobody stops."""

    n: int = 2

    def state(self):
        self.count = Array(self.n, Int(0, 3))

    @transition(i="n")
    def increment(self, i):
        self.count[i] += 1
