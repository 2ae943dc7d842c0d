from asset import Int, Model, may_progress, transition, when


class Trap(Model):
    """A walker in a circle, who may fall into a hole, and can then only look left and right."""

    n: int = 3

    def state(self):
        self.place = Int(0, 7)
        self.fallen = False
        self.left = False

    @transition
    def walk(self):
        when(not self.fallen)
        self.place = (self.place + 1) % self.n

    @transition
    def fall(self):
        when(not self.fallen and self.place == self.n - 1)
        self.fallen = True

    @transition
    def look(self):
        when(self.fallen)
        self.left = not self.left

    @may_progress
    def live(self):
        return self.place == 0
