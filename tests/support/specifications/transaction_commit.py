"""Transaction commit by resource managers; a manager and messages (two-phase commit with message sets)."""

from enum import Enum

from asset import Int, Model, Record, Set, invariant, transition, when


class RM(Enum):
    WORKING = 1
    PREPARED = 2
    COMMITTED = 3
    ABORTED = 4


class Prepared(Record):
    rm: int


class Commit(Record):
    pass


class Abort(Record):
    pass


class TwoPhase(Model):
    n: int = 3

    def state(self):
        self.rm = {i: RM.WORKING for i in range(self.n)}
        self.tm = "init"
        self.prepared = Set(self.n)
        self.msgs = Set(Prepared(Int(0, self.n - 1)) | Commit() | Abort())

    @transition(i="n")
    def rcv_prepared(self, i):
        when(self.tm == "init" and Prepared(i) in self.msgs)
        self.prepared.add(i)

    @transition
    def commit(self):
        when(self.tm == "init" and self.prepared == set(range(self.n)))
        self.tm = "done"
        self.msgs.add(Commit())

    @transition
    def abort(self):
        when(self.tm == "init")
        self.tm = "done"
        self.msgs.add(Abort())

    @transition(i="n")
    def prepare(self, i):
        when(self.rm[i] is RM.WORKING)
        self.rm[i] = RM.PREPARED
        self.msgs.add(Prepared(i))

    @transition(i="n")
    def choose_abort(self, i):
        when(self.rm[i] is RM.WORKING)
        self.rm[i] = RM.ABORTED

    @transition(i="n")
    def rcv_commit(self, i):
        when(Commit() in self.msgs)
        self.rm[i] = RM.COMMITTED

    @transition(i="n")
    def rcv_abort(self, i):
        when(Abort() in self.msgs)
        self.rm[i] = RM.ABORTED

    @invariant
    def consistent(self):
        values = list(self.rm.values())
        return not (RM.COMMITTED in values and RM.ABORTED in values)
