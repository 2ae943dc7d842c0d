"""Leader election on a ring by Chang and Roberts: processes with identities in any order."""

from itertools import permutations

from asset import Array, Int, Model, Queue, choose, invariant, process, when


class ChangRoberts(Model):
    n: int = 3

    def state(self):
        order = choose(permutations(range(1, self.n + 1)))
        self.id = [Int(1, self.n, x) for x in order]
        self.inbox = Array(self.n, Queue(self.n, Int(1, self.n)))
        self.leader = Array(self.n, False)

    @process(i="n")
    def node(self, i):
        right = (i + 1) % self.n
        self.inbox[right].put(self.id[i])
        yield
        while True:
            when(self.inbox[i])
            m = self.inbox[i].get()
            if m > self.id[i]:
                self.inbox[right].put(m)
            elif m == self.id[i]:
                self.leader[i] = True
                return
            yield

    @invariant
    def one_leader(self):
        return sum(self.leader) <= 1 and all(self.id[i] == max(self.id) for i in range(self.n) if self.leader[i])
