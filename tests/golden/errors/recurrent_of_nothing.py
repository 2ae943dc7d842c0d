from asset import Int, Model, recurrent, transition


class RecurrentOfNothing(Model):
    def state(self):
        self.x = Int(0, 3)

    @transition
    def go(self):
        self.x = 1

    again = recurrent(go, then="stop")
