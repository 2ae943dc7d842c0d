"""A counter that forgets its limit: a model error."""

from asset import Int, Model, transition


class Counter(Model):
    def state(self):
        self.value = Int(0, 2)

    @transition
    def increment(self):
        self.value += 1
