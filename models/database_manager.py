# A distributed database: each of n sites has a copy, and any of them may change all copies, one change at a time.
#
# Teaches: two processes for each site, which meet in shared variables; `when` in the middle of the text blocks a step,
# and a label names the point between two steps for properties.
#
# A site that wants to change something takes the lock and sends a message to every other site at once. Each of them
# receives it, changes its copy, and acknowledges. When all have acknowledged, the lock is free again. There are
# n * 3 ** (n - 1) + 1 states: nobody has the lock, or one of n has it and each of the others is at one of three stages.
#
# expect: n=2: holds, 7 states, 8 edges, 0 terminal
# expect: n=3: holds, 28 states, 42 edges, 0 terminal
# expect: n=4: holds, 109 states, 224 edges, 0 terminal
# expect: n=5: holds, 406 states, 1090 edges, 0 terminal
# expect: n=6: holds, 1459 states, 4872 edges, 0 terminal
# expect: n=7: holds, 5104 states, 20426 edges, 0 terminal
# expect: n=12: holds, 2125765 states

from enum import IntEnum

from asset import Array, Model, invariant, may_progress, process, when


class Message(IntEnum):
    """What is under way to a site, or has happened to it."""

    NONE = 0
    SENT = 1
    RECEIVED = 2
    ACKNOWLEDGED = 3


class DatabaseManager(Model):
    n: int = 4

    def state(self):
        self.locked = False
        self.message = Array(self.n, Message.NONE)

    @process(i="n")
    def manager(self, i):
        while True:
            when(not self.locked)
            self.locked = True
            for other in range(self.n):
                if other != i:
                    self.message[other] = Message.SENT
            yield "changing"
            when(all(self.message[other] == Message.ACKNOWLEDGED for other in range(self.n) if other != i))
            for other in range(self.n):
                self.message[other] = Message.NONE
            self.locked = False
            yield

    @process(i="n")
    def copy(self, i):
        while True:
            when(self.message[i] == Message.SENT)
            self.message[i] = Message.RECEIVED
            yield
            self.message[i] = Message.ACKNOWLEDGED
            yield

    @invariant
    def one_change_at_a_time(self):
        return sum(self.at(self.manager, i, "changing") for i in range(self.n)) <= 1

    @may_progress
    def site_0_may_change_it(self):
        return self.at(self.manager, 0, "changing")
