# ruff: noqa
from asset import Array, Int, Model, Queue, Record, transition


class Part(Record):
    a: Int(0, 3)


class Outside(Model):
    def state(self):
        self.x = Int(0, 9)
        self.a = Array(3, Int(0, 9))
        self.grid = Array(2, Array(2, Int(0, 9)))
        self.parts = Array(2, Part)
        self.queue = Queue(2, Int(0, 9))

    def act(self):
        self.x = 1
        return 2

    @transition
    def bounds(self):
        while self.x < 3:
            xs = []
            self.x += 1
        ys = []
        while self.x < 3:
            ys.append(self.x)
        zs = [k for k in range(self.act())]
        for x in zs:
            self.x = x

    @transition
    def growing(self):
        xs = []
        for _ in range(3):
            xs = [1] + xs

    @transition
    def order(self):
        s = {1, 2}
        for x in s:
            self.x = x
        self.x = list(s)[0]
        self.x = min(s, key=lambda v: v % 2)
        self.x = s[0]

    @transition
    def names(self):
        xs = [1, 2]
        ys = xs
        ys.append(3)
        for x in ys:
            ys.append(x)

    @transition
    def kinds(self):
        xs = [1, (2, 3)]
        ys = [1]
        ys.append((1, 2))
        zs = [self.grid[k] for k in range(2)]
        ps = [part for part in self.parts]
        self.x = (1, 2) < [1, 2]

    @transition
    def acting(self):
        xs = [self.act() for _ in range(2)]
        self.x = self.act() + len([x for x in self.a])

    @transition
    def values(self):
        self.x = sorted(self.a)
        xs = [1, 2]
        self.x = xs
        self.x = any(x > 1 for k, (x, y) in enumerate([self.a[:2]]))
        self.queue[0:1].append(2)

    @transition
    def views(self):
        d = {0: 1}
        names = d.keys()
        d[1] = 2
        self.x = len(names)
