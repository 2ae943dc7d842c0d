"""A read-write lock with preference for writers, as processes."""

from asset import Int, Model, invariant, process, when


class RWLock(Model):
    readers: int = 2
    writers: int = 2

    def state(self):
        self.reading = Int(0, self.readers)
        self.writing = False
        self.waiting = Int(0, self.writers)

    @process(r="readers")
    def reader(self, r):
        while True:
            when(not self.writing and self.waiting == 0)
            self.reading += 1
            yield "reads"
            self.reading -= 1
            yield

    @process(w="writers")
    def writer(self, w):
        while True:
            self.waiting += 1
            yield "waits"
            when(not self.writing and not self.reading)
            self.waiting -= 1
            self.writing = True
            yield "writes"
            self.writing = False
            yield

    @invariant
    def exclusion(self):
        w = sum(self.at(self.writer, k, "writes") for k in range(self.writers))
        r = sum(self.at("reader", k, "reads") for k in range(self.readers))
        return w == 0 or (w == 1 and r == 0)
