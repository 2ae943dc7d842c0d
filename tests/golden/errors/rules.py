from asset import Array, Int, Model, invariant, obligations, stb, stb_all, transition, when


class Rules(Model):
    def state(self):
        self.x = Int(0, 3)
        self.a = Array(2, False)

    @transition(i=2)
    def go(self, i):
        stb(self.go, i)

    @transition
    def stop(self):
        self.x = 0

    @transition
    def other(self):
        self.helper()

    @transition
    def last(self):
        self.x = stb_all()

    @obligations(go)
    def go_obliges(self, i):
        self.x = 1
        when(self.x == 0)
        stb(i)
        stb(self.x, i)
        stb(self.go, i, i)
        stb(self.stop, i)
        stb(self.go, i=i)
        stb(*self.a)
        stb_all(i)
        self.stop()

    @obligations(stop)
    def stop_obliges(self):
        self.change()
        return 1

    @obligations(other)
    def other_obliges(self):
        self.helper()

    def helper(self):
        stb(self.stop)

    def change(self):
        self.x = 2

    @invariant
    def listing(self):
        stb_all()
        return True

    def symmetry_representative(self):
        when(self.x == 1)
        stb(self.stop)
        return 0
