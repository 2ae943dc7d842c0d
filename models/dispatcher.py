"""A dispatcher of jobs, each of which waits at most once: with a queue, and with a set, of those that wait.

The order in which jobs wait multiplies the states: the set has 2^n, the queue one for each arrangement of each subset,
which is 1 + the sum over i = 1…n of C(n, i) i!. Teaches: choose the type that keeps no more than is needed.
"""

# expect: QueueDispatcher n=4: holds, 65 states
# expect: QueueDispatcher n=8: holds, 109601 states
# expect: SetDispatcher n=3: holds, 8 states
# expect: SetDispatcher n=8: holds, 256 states

from asset import Int, Model, Queue, Set, invariant, transition, when


class SetDispatcher(Model):
    n: int = 4

    def state(self):
        self.waiting = Set(self.n)

    @transition(i="n")
    def arrive(self, i):
        when(i not in self.waiting)
        self.waiting.add(i)

    @transition(i="n")
    def dispatch(self, i):
        when(i in self.waiting)
        self.waiting.remove(i)

    @invariant
    def jobs_exist(self):
        return len(self.waiting) <= self.n


class QueueDispatcher(Model):
    n: int = 4

    def state(self):
        self.waiting = Queue(self.n, Int(0, self.n - 1))

    @transition(i="n")
    def arrive(self, i):
        when(i not in self.waiting)
        self.waiting.put(i)

    @transition
    def dispatch(self):
        when(not self.waiting.empty())
        self.waiting.get()

    @invariant
    def each_waits_once(self):
        return all(sum(job == i for job in self.waiting) <= 1 for i in range(self.n))
