from asset import Array, Int, Model, Set, choose, transition


class Comprehension(Model):
    def state(self):
        self.members = Set(3)
        self.row = Array(2, Int(0, 2))
        self.name = "idle"

    @transition
    def unknown_number_of_choices(self):
        self.row = [choose(0, 1) for _ in self.members]
