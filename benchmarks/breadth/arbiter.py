# A bus with a round-robin arbiter and split transfers: masters ask for the bus, address a slave, and give the bus up
# until the slave is ready; then the slave asks for the bus to answer.
#
# peers/arbiter.pml is the same system for SPIN.

from enum import IntEnum

from asset import Array, Int, Model, invariant, transition, when


class Master(IntEnum):
    IDLE = 0
    ASKING = 1
    ADDRESSING = 2
    WAITING = 3
    READING = 4


class Arbiter(Model):
    n: int = 5
    slaves: int = 3

    def state(self):
        self.master = Array(self.n, Master.IDLE)
        self.slave = Array(self.n, Int(0, self.slaves - 1))  # that the master addresses
        self.busy = Array(self.slaves, Int(0, self.n))  # with a master, plus one
        self.left = Array(self.slaves, Int(0, 2))  # cycles until it is ready
        self.bus = Int(0, self.n)  # who has it, plus one
        self.turn = Int(0, self.n - 1)

    @transition(i="n", s="slaves")
    def ask(self, i, s):
        when(self.master[i] == Master.IDLE)
        self.master[i] = Master.ASKING
        self.slave[i] = s

    @transition(i="n")
    def grant(self, i):
        when(self.bus == 0 and self.turn == i and self.master[i] == Master.ASKING and self.busy[self.slave[i]] == 0)
        self.bus = i + 1
        self.master[i] = Master.ADDRESSING
        self.turn = (i + 1) % self.n

    @transition(i="n")
    def skip(self, i):
        when(self.bus == 0 and self.turn == i)
        when(self.master[i] != Master.ASKING or self.busy[self.slave[i]] != 0)
        self.turn = (i + 1) % self.n

    @transition(i="n")
    def address(self, i):
        when(self.master[i] == Master.ADDRESSING)
        self.busy[self.slave[i]] = i + 1
        self.left[self.slave[i]] = 2
        self.master[i] = Master.WAITING
        self.bus = 0

    @transition(s="slaves")
    def work(self, s):
        when(self.busy[s] != 0 and self.left[s] > 0)
        self.left[s] -= 1

    @transition(s="slaves")
    def answer(self, s):
        when(self.bus == 0 and self.busy[s] != 0 and self.left[s] == 0)
        self.bus = self.busy[s]
        self.master[self.busy[s] - 1] = Master.READING
        self.busy[s] = 0

    @transition(i="n")
    def read(self, i):
        when(self.master[i] == Master.READING)
        self.master[i] = Master.IDLE
        self.slave[i] = 0
        self.bus = 0

    @invariant
    def one_has_the_bus(self):
        return sum(m in (Master.ADDRESSING, Master.READING) for m in self.master) == (self.bus != 0)
