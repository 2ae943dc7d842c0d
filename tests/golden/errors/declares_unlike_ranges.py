from asset import Int, Model, transition


class Jugs(Model):
    def state(self):
        self.jug = [Int(0, size) for size in (3, 5)]

    @transition(j=2)
    def fill(self, j):
        self.jug[j] = 3
