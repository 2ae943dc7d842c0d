"""A bounded blocking queue with one condition variable: producers and consumers wait on the same monitor."""

from asset import Int, Model, Queue, Set, choose, invariant, transition, when


class BlockingQueue(Model):
    producers: int = 2
    consumers: int = 1
    capacity: int = 1

    def state(self):
        self.buffer = Queue(self.capacity, Int(0, self.producers - 1))
        self.waiting = Set(self.producers + self.consumers)

    def running(self):
        return set(range(self.producers + self.consumers)) - self.waiting

    @transition(p="producers")
    def put(self, p):
        when(p in self.running())
        if self.buffer.full():
            self.waiting.add(p)
        else:
            self.buffer.put(p)
            if self.waiting:
                self.waiting.remove(choose(self.waiting))

    @transition(c="range(producers, producers + consumers)")
    def get(self, c):
        when(c in self.running())
        if not self.buffer:
            self.waiting.add(c)
        else:
            self.buffer.get()
            if self.waiting:
                self.waiting.remove(choose(self.waiting))

    @invariant
    def no_deadlock(self):
        return len(self.waiting) < self.producers + self.consumers
