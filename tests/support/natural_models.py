"""What people write in one statement: something is taken out and used, members of Enums tell their values, and what a
loop has found is used behind it."""

# ruff: noqa: B007
# mypy: ignore-errors

from enum import Enum

from asset import Array, Int, Map, Model, Optional, Queue, Record, choose, invariant, transition, when


class Pair(Record):
    a: Int(0, 2)
    b: Int(0, 2)


class Dir(Enum):
    N = (0, 1)
    S = (0, -1)
    E = (1, 0)


class Level(Enum):
    LOW = 1
    HIGH = 5


class Word(Enum):
    A = "one"
    B = "two"


class Members(Model):
    """`value` and `name` of a member that is known at run time only; functions that take any number of arguments."""

    def state(self):
        self.d = Dir.N
        self.x, self.y = Int(-3, 3), Int(-3, 3)
        self.level = Level.LOW
        self.word = Word.A
        self.text = "one"
        self.ds = Queue(2, Dir)
        self.out = Int(0, 90)
        self.p = (Int(0, 2), Int(0, 2))

    def total(self, *xs):
        return sum(xs) + len(xs)

    def shown(self, a, b=1, *rest):
        return a * 10 + b + (max(rest) if rest else 0)

    @transition
    def move(self):
        dx, dy = self.d.value
        self.x = (self.x + dx) % 3
        self.y = (self.y + dy) % 3

    @transition(d=Dir)
    def turn(self, d):
        self.d = d
        self.x = d.value[0]
        self.out = 7 if d.name == "S" else 8

    @transition
    def rise(self):
        self.out = self.level.value * 10 + (self.word.value == self.text) + 2 * (self.word.name == "A")
        self.level = Level.HIGH if self.level is Level.LOW else Level.LOW

    @transition
    def say(self):
        self.word = Word.B
        self.text = self.word.value

    @transition
    def by_name(self):
        d = self.d
        self.y = d.value[1]
        self.out = sum(e.value[0] for e in Dir)

    @transition
    def queued(self):
        when(len(self.ds) < 2)
        self.ds.put(self.d)
        self.x, _ = self.ds[0].value

    @transition
    def arguments(self):
        p = (self.x % 2, 2)
        self.out = self.total(*p) + self.total() + self.total(1, *p) + self.shown(1)
        self.out += self.shown(*self.p) + self.shown(0, 1, 2, self.out % 3)

    @transition(i=3)
    def set_pair(self, i):
        self.p = (i, self.p[0])


class Taking(Model):
    """What is taken out of a collection is used where it is taken."""

    def state(self):
        self.out = Int(0, 99)
        self.queue = Queue(3, Int(0, 2))
        self.pairs = Queue(2, Pair)
        self.level = Map(3, Int(0, 2))
        self.row = Array(4, Int(0, 9))
        self.last = Optional(Int(0, 3))

    def twice(self, k):
        return k * 2

    @transition(i=3)
    def put(self, i):
        when(not self.queue.full())
        self.queue.put(i)
        self.level[i] = 2 - i

    @transition
    def put_pair(self):
        when(not self.pairs.full())
        self.pairs.put(Pair(self.out % 3, 1))

    @transition
    def add(self):
        self.out = self.queue.popleft() + 1
        self.out += self.queue.pop()

    @transition
    def put_again(self):
        self.queue.put((self.queue.get() + 1) % 3)

    @transition
    def ask(self):
        if self.queue.get() == 1:
            self.out = 1
        else:
            self.out = len(self.queue)

    @transition
    def index(self):
        self.out = self.level[self.queue.get()] * 10 + len(self.queue)

    @transition
    def part(self):
        self.out = self.pairs.get().a
        assert self.level.pop(1) < 5

    @transition
    def match(self):
        match self.queue.get():
            case 0:
                self.out = 0
            case k:
                self.out = k + 10

    @transition
    def call(self):
        when(self.queue.get() > 0)
        self.out = self.twice(self.queue.get()) + self.twice(1)
        a, b = self.queue.get(), 2
        self.out = a + b

    @transition
    def perhaps(self):
        x = self.queue.get() if self.queue else 9
        self.out = x + (1 if x > 3 else 0)
        self.last = self.queue.popleft() if self.queue else None

    @transition
    def nested(self):
        self.out = self.queue.pop() if len(self.queue) > 1 else 20 if self.last is None else self.level.pop(self.last)

    def first_or_last(self):
        return self.queue.get() if self.queue.get() > 0 else self.queue.pop() * 2 + 1

    @transition
    def either(self):
        self.out = self.first_or_last()
        self.out = 5 if not self.queue else self.queue.get() * 2 + 1

    @transition
    def place(self):
        self.row[len(self.queue)] = self.queue.pop() if self.queue else 3
        xs = [1, 2]
        y = xs.pop() if self.queue else xs[0]
        self.out = y * 10 + len(xs)

    @transition
    def within(self):
        x = self.queue.get() if self.queue else 9
        when(x in range(0, 4))
        self.row[x] = 1


class Found(Model):
    """The variable of a loop is used behind the loop."""

    n: int = 3

    def state(self):
        self.row = [Int(0, 2) for _ in range(3)]
        self.out = Int(0, 1000)
        self.queue = Queue(3, Int(0, 3))

    def find(self, v):
        for i in range(self.n):
            if self.row[i] == v:
                break
        else:
            return 50
        return i

    @transition(i=3)
    def step(self, i):
        self.row[i] = (self.row[i] + 1) % 3

    @transition
    def put(self):
        when(not self.queue.full())
        self.queue.put(choose(0, 1))

    @transition
    def inner(self):
        for i in range(3):
            for j in range(3):
                if self.row[j] == 2:
                    break
            else:
                self.out = 7
                continue
            self.out = 10 * i + j
            break
        else:
            self.out = 99

    @transition
    def changed(self):
        for i in range(5):
            i = i * 2
            if i > 5:
                break
        self.out = i

    @transition
    def numbered(self):
        for k, x in enumerate(self.row):
            if x == 1:
                break
        self.out = k * 10 + x

    @transition
    def searched(self):
        for x in self.queue:
            if x == 1:
                break
        else:
            when(False)
        self.out = x + 1

    @transition
    def again(self):
        for i in range(self.n):
            pass
        for i in range(len(self.queue)):
            self.out = i
        self.out += i

    @transition
    def totals(self):
        t = 0
        for i in range(2):
            for j in range(3):
                t += i * j
                if t > 3:
                    break
            t += j
        self.out = t + i + j

    @transition
    def by_function(self):
        self.out = self.find(1) + self.find(2)

    @invariant
    def bounded(self):
        return self.find(0) <= 50
