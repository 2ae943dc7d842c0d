from asset import Int, Model, transition, when


class Identities(Model):
    def state(self):
        self.x = Int(0, 2)
        self.word = "idle"

    @transition
    def of_numbers(self):
        y = self.x
        when(y is self.x)

    @transition
    def of_texts(self):
        word = self.word
        when(word is not self.word)
