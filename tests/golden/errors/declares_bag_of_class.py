from asset import Bag, Model, transition


class Message:
    pass


class Declares(Model):
    def state(self):
        self.bag = Bag(Message, 1)

    @transition
    def step(self):
        self.bag.clear()
