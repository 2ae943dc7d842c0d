from asset import Array, Int, Model, may_progress, must_progress, transition, when


class Ring(Model):
    """A token goes from station to station; each works while it has it, once in a round."""

    n: int = 3

    def state(self):
        self.token = Int(0, 7)
        self.worked = Array(self.n, False)

    @transition(i="n")
    def work(self, i):
        when(self.token == i and not self.worked[i])
        self.worked[i] = True

    @transition(i="n")
    def hand_on(self, i):
        when(self.token == i and self.worked[i])
        self.worked[i] = False
        self.token = (i + 1) % self.n

    @may_progress
    def live(self):
        return self.token == 0

    @must_progress
    def inevitable(self):
        return self.token == 0
