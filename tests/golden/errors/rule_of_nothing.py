from asset import Int, Model, obligations, stb_all, transition


class RuleOfNothing(Model):
    def state(self):
        self.x = Int(0, 3)

    @transition
    def go(self):
        self.x = 1

    def stop(self):
        self.x = 0

    @obligations(stop)
    def stop_obliges(self):
        stb_all()
