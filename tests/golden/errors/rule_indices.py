from asset import Int, Model, obligations, stb_all, transition


class RuleIndices(Model):
    def state(self):
        self.x = Int(0, 3)

    @transition(i=2)
    def go(self, i):
        self.x = i

    @obligations(go)
    def go_obliges(self, j):
        stb_all()
