"""Replication of a log with an in-sync set, as Kafka has it: leader, epochs, high watermark; bounded."""

from asset import Array, Int, Model, Optional, Queue, Record, Set, invariant, transition, when


class Entry(Record):
    id: int
    epoch: int


class Replica(Record):
    log: Queue
    epoch: int
    hw: int

    def end(self):
        return len(self.log)


class Kafka(Model):
    n: int = 2
    size: int = 2
    epochs: int = 2

    def state(self):
        entry = Entry(Int(0, self.size - 1), Int(0, self.epochs))
        self.replica = Array(self.n, Replica(Queue(self.size, entry), Int(0, self.epochs), Int(0, self.size)))
        self.isr = Set(self.n, range(self.n))
        self.leader = Optional(Int(0, self.n - 1), 0)
        self.epoch = Int(0, self.epochs)
        self.next_id = Int(0, self.size)

    @transition
    def write(self):
        when(self.leader is not None and self.next_id < self.size)
        r = self.replica[self.leader]
        when(not r.log.full())
        r.log.put(Entry(self.next_id, self.epoch))
        self.next_id += 1

    @transition(i="n")
    def fetch(self, i):
        when(self.leader is not None and i != self.leader)
        mine, theirs = self.replica[i], self.replica[self.leader]
        when(mine.epoch == self.epoch and mine.end() < theirs.end())
        mine.log.put(theirs.log[mine.end()])
        mine.hw = min(mine.end(), theirs.hw)

    @transition
    def advance(self):
        when(self.leader is not None)
        r = self.replica[self.leader]
        when(all(self.replica[i].end() > r.hw for i in self.isr))
        r.hw += 1

    @transition(i="n")
    def shrink(self, i):
        when(self.leader is not None and i != self.leader and i in self.isr)
        self.isr.remove(i)

    @transition(i="n")
    def expand(self, i):
        when(self.leader is not None and i not in self.isr)
        when(self.replica[i].epoch == self.epoch and self.replica[i].end() >= self.replica[self.leader].hw)
        self.isr.add(i)

    @transition(i="n")
    def elect(self, i):
        when(i in self.isr and i != self.leader and self.epoch < self.epochs)
        self.epoch += 1
        self.leader = i
        self.isr = {i}
        self.replica[i].epoch = self.epoch

    @transition(i="n")
    def follow(self, i):
        when(self.leader is not None and i != self.leader and self.replica[i].epoch < self.epoch)
        r = self.replica[i]
        r.epoch = self.epoch
        while len(r.log) > r.hw:
            r.log.pop()

    @invariant
    def strong(self):
        for i in self.isr:
            for j in range(self.n):
                mine, other = self.replica[i].log, self.replica[j].log
                if any(k >= len(mine) or mine[k] != other[k] for k in range(self.replica[j].hw)):
                    return False
        return True
