"""Workers who share a tool, and how much fairness it takes that each gets it.

A worker rests, waits, works with the tool and puts it back. Teaches: formulas of temporal logic, and the two kinds of
fairness. Without any, one worker may have the tool over and over. Weak fairness does not help: a worker who waits could
get the tool again and again, but not all the time, as the other one has it in between. Strong fairness to `get` does.
"""

# expect: SharedTool n=2: violated temporal, 8 states, 4 steps
# expect: WeaklyFairTool n=2: violated temporal
# expect: FairTool n=2: holds, 8 states, 14 edges
# expect: FairTool n=3: holds, 20 states

from enum import IntEnum

from asset import AG, EF, Array, Model, always, implies, leads_to, strong, temporal, transition, weak, weak_until, when


class Worker(IntEnum):
    RESTING = 0
    WAITING = 1
    WORKING = 2


class SharedTool(Model):
    n: int = 2

    def state(self):
        self.worker = Array(self.n, Worker.RESTING)

    @transition(i="n")
    def want(self, i):
        when(self.worker[i] == Worker.RESTING)
        self.worker[i] = Worker.WAITING

    @transition(i="n")
    def get(self, i):
        when(self.worker[i] == Worker.WAITING and Worker.WORKING not in self.worker)
        self.worker[i] = Worker.WORKING

    @transition(i="n")
    def put(self, i):
        when(self.worker[i] == Worker.WORKING)
        self.worker[i] = Worker.RESTING

    @temporal
    def one_at_a_time(self):
        return always(sum(worker == Worker.WORKING for worker in self.worker) <= 1)

    @temporal(i="n")
    def whoever_waits_goes_on_to_wait(self, i):
        waits = self.worker[i] == Worker.WAITING
        return always(implies(waits, weak_until(waits, self.worker[i] == Worker.WORKING)))

    @temporal(i="n")
    def every_wish_can_come_true(self, i):
        return AG(EF(self.worker[i] == Worker.WORKING))

    @temporal(i="n")
    def every_wish_comes_true(self, i):
        return leads_to(self.worker[i] == Worker.WAITING, self.worker[i] == Worker.WORKING)


class WeaklyFairTool(SharedTool):
    fair = weak(SharedTool.want, SharedTool.get, SharedTool.put)


class FairTool(SharedTool):
    work_ends = weak(SharedTool.put)
    turns = strong(SharedTool.get)
