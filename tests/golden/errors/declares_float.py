from asset import Int, Model, transition


class Declares(Model):
    n: int = 2
    share: float = 0.5

    def state(self):
        self.x = Int(0, self.n)

    @transition
    def step(self):
        self.x = 0
