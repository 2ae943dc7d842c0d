# Peterson's mutual exclusion algorithm for n customers, written as processes.
#
# Teaches: sequential code in place of a program counter. A generator method is a process, and `yield` ends an atomic
# step; points between steps are numbered by their lines, and those with the same future are one. `choose` makes a
# transition for each alternative. The text is the algorithm: peterson.py spells the same steps out by hand.
#
# In PetersonProcesses `gate` and `other` are declared, so that they keep their last values when they are no longer
# needed, as in the papers: the counts are those of the papers, and of peterson.py. In PetersonLocals they are local
# variables, state only while they are needed, and no step only goes from one line to another: an algorithm
# of nineteen lines, with a fraction of the states.
#
# expect: PetersonProcesses n=2: holds, 574 states, 1148 edges, 8 terminal
# expect: PetersonProcesses n=3: holds, 96854 states, 290562 edges, 27 terminal
# expect: PetersonProcesses n=4 only=safety,deadlock: holds, 26209918 states, 104839672 edges, 72 terminal
# expect: PetersonLocals n=2: holds, 84 states, 168 edges, 2 terminal
# expect: PetersonLocals n=3: holds, 4293 states, 12879 edges, 3 terminal

from asset import Array, Int, Model, choose, invariant, may_progress, process, terminal


class PetersonProcesses(Model):
    """Each step is one atomic operation: it reads or writes one shared variable at most."""

    n: int = 3

    def state(self):
        self.gate = Array(self.n, Int(0, self.n - 1))  # where customer i is on its way
        self.other = Array(self.n, Int(0, self.n))  # whom customer i looks at in its waiting loop
        self.level = Array(self.n, Int(0, self.n - 1))  # shared: how far customer i says it wants to go
        self.last = Array(self.n - 1, Int(0, self.n - 1))  # shared: who came to the gate last, and so has to wait

    @process(i="n")
    def customer(self, i):
        while choose(True, False):  # it may stop before it asks for the critical section
            self.gate[i] = 0
            yield
            while self.gate[i] < self.n - 1:
                yield
                self.level[i] = self.gate[i] + 1
                yield
                self.last[self.gate[i]] = i
                yield
                while self.last[self.gate[i]] == i:
                    self.other[i] = 0
                    yield
                    while self.other[i] < self.n:
                        yield
                        if self.other[i] != i and self.level[self.other[i]] > self.gate[i]:
                            break
                        self.other[i] += 1
                        yield
                    else:
                        break
                    yield
                self.gate[i] += 1
                yield
            yield "critical"
            self.level[i] = 0
            yield

    @invariant
    def mutual_exclusion(self):
        return sum(self.at(self.customer, i, "critical") for i in range(self.n)) <= 1

    @terminal
    def everyone_stopped(self):
        return all(self.at(self.customer, i, "finished") for i in range(self.n))

    @may_progress
    def customer_0_served(self):
        return self.at(self.customer, 0, "critical") or self.at(self.customer, 0, "finished")


class PetersonLocals(PetersonProcesses):
    """The same with local variables, and without steps that only go from one line to another."""

    def state(self):
        self.level = Array(self.n, Int(0, self.n - 1))
        self.last = Array(self.n - 1, Int(0, self.n - 1))

    @process(i="n")
    def customer(self, i):
        while choose(True, False):
            for gate in range(self.n - 1):
                self.level[i] = gate + 1
                yield
                self.last[gate] = i
                yield
                while self.last[gate] == i:
                    yield
                    for other in range(self.n):
                        if other != i and self.level[other] > gate:
                            break
                        yield
                    else:
                        break
                    yield
                yield
            yield "critical"
            self.level[i] = 0
            yield
