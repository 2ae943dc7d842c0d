from asset import Int, Model, process


class TwoKinds(Model):
    def state(self):
        self.x = Int(0, 2)
        self.word = "idle"

    @process
    def mixing(self):
        kept = self.x
        yield
        kept = "busy"
        yield
        self.word = kept
