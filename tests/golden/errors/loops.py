# ruff: noqa
from asset import Array, Int, Model, transition


class Loops(Model):
    def state(self):
        self.x = Int(0, 3)

    @transition
    def leaves_a_loop_over_nothing_known(self):
        for k in nobody:
            if k == self.x:
                break
            if unknown:
                continue
        self.x = k

    @transition
    def leaves_an_inner_one(self):
        for i in range(2):
            for k in nobody:
                break
            self.y = i
