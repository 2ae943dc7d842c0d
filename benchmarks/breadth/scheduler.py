# A preemptive scheduler with priorities: tasks are released, run for some ticks, wait for a device, may be preempted.
#
# Task 0 has the highest priority. A task that holds the device inherits nothing, so that others may wait long.
# peers/scheduler.pml is the same system for SPIN.

from enum import IntEnum

from asset import Array, Int, Model, invariant, transition, when


class Task(IntEnum):
    SLEEPING = 0
    READY = 1
    RUNNING = 2
    BLOCKED = 3  # waits for the device


class Scheduler(Model):
    n: int = 6
    work: int = 3

    def state(self):
        self.task = Array(self.n, Task.SLEEPING)
        self.left = Array(self.n, Int(0, self.work))
        self.holds = Array(self.n, False)
        self.device = False
        self.running = Int(0, self.n)  # the task, plus one

    @transition(i="n")
    def release(self, i):
        when(self.task[i] == Task.SLEEPING)
        self.task[i] = Task.READY
        self.left[i] = self.work

    @transition(i="n")
    def dispatch(self, i):
        when(self.running == 0 and self.task[i] == Task.READY)
        when(not any(k < i and self.task[k] == Task.READY for k in range(self.n)))
        self.task[i] = Task.RUNNING
        self.running = i + 1

    @transition(i="n")
    def preempt(self, i):
        when(self.task[i] == Task.RUNNING and any(k < i and self.task[k] == Task.READY for k in range(self.n)))
        self.task[i] = Task.READY
        self.running = 0

    @transition(i="n")
    def tick(self, i):
        when(self.task[i] == Task.RUNNING and self.left[i] > 1)
        self.left[i] -= 1

    @transition(i="n")
    def acquire(self, i):
        when(self.task[i] == Task.RUNNING and not self.holds[i] and not self.device)
        self.holds[i] = True
        self.device = True

    @transition(i="n")
    def block(self, i):
        when(self.task[i] == Task.RUNNING and not self.holds[i] and self.device)
        self.task[i] = Task.BLOCKED
        self.running = 0

    @transition(i="n")
    def give_back(self, i):
        when(self.task[i] == Task.RUNNING and self.holds[i])
        self.holds[i] = False
        self.device = False
        for k in range(self.n):
            if self.task[k] == Task.BLOCKED:
                self.task[k] = Task.READY

    @transition(i="n")
    def finish(self, i):
        when(self.task[i] == Task.RUNNING and self.left[i] == 1 and not self.holds[i])
        self.task[i] = Task.SLEEPING
        self.left[i] = 0
        self.running = 0

    @invariant
    def one_runs_at_most(self):
        return sum(task == Task.RUNNING for task in self.task) <= 1
