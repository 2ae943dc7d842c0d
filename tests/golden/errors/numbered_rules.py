from asset import Int, Model, stb


class NumberedRules(Model):
    def state(self):
        self.x = Int(0, 3)

    def nr_transitions(self):
        return 2

    def fire_transition(self, t):
        self.x = t
        return True

    def next_stubborn(self, t):
        stb(self.fire_transition, t)
        return stb(t)
