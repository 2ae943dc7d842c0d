# Producers and consumers share a bounded buffer in a monitor, with wait and notify.
#
# Teaches: `Int` with a range, parameters in a range (`"producers + consumers"`), a transition with two indices for a
# choice that the system makes (which sleeper is woken), and `@terminal` returning False: no run may end.
#
# A thread that finds the buffer full (or empty) sleeps. One that has put (or got) an item wakes one sleeper. With one
# condition variable for all, notify may wake a thread of the same kind, which goes back to sleep, and the wake-up is
# lost: in the end everyone sleeps. It takes more than twice as many threads as the buffer has places, and many steps,
# which is why testing rarely meets it. BoundedBuffer has two condition variables; OneCondition has the mistake.
#
# expect: BoundedBuffer producers=2 consumers=1 capacity=1: holds, 10 states, 20 edges, 0 terminal
# expect: BoundedBuffer producers=3 consumers=3 capacity=2: holds, 104 states, 534 edges, 0 terminal
# expect: OneCondition producers=1 consumers=1 capacity=1: holds, 4 states, 6 edges, 0 terminal
# expect: OneCondition producers=2 consumers=1 capacity=1: violated somebody_can_go_on, 14 states, 26 edges, 8 steps
# expect: OneCondition producers=2 consumers=2 capacity=2: holds, 13 states, 44 edges, 0 terminal
# expect: OneCondition producers=3 consumers=2 capacity=2: violated somebody_can_go_on, 86 states, 386 edges, 23 steps
# expect: BoundedBuffer producers=2 consumers=1 capacity=1 stubborn=auto: holds, 0 terminal

from asset import Array, Int, Model, terminal, transition, when


class BoundedBuffer(Model):
    """A monitor with two condition variables: producers wake consumers, consumers wake producers."""

    producers: int = 2
    consumers: int = 1
    capacity: int = 1

    def state(self):
        self.items = Int(0, self.capacity)  # the range is a check of its own: leaving it is a model error
        self.asleep = Array(self.producers + self.consumers, False)

    @transition(t="producers + consumers")
    def sleep(self, t):
        when(not self.asleep[t] and not self.can_go_on(t))
        self.asleep[t] = True

    @transition(t="producers + consumers", woken="producers + consumers")
    def put_or_get(self, t, woken):
        """Thread t moves one item and wakes one sleeper; if there is none, `woken` is t itself."""
        when(not self.asleep[t] and self.can_go_on(t))
        when(self.can_wake(t, woken) or (woken == t and not self.wakes_somebody(t)))
        self.items += 1 if self.produces(t) else -1
        self.asleep[woken] = False

    def produces(self, t):
        return t < self.producers

    def can_go_on(self, t):
        return self.items < self.capacity if self.produces(t) else self.items > 0

    def wakes_somebody(self, t):
        return any(self.can_wake(t, other) for other in range(self.producers + self.consumers))

    def can_wake(self, t, other):
        return self.asleep[other] and self.produces(t) != self.produces(other)

    @terminal
    def somebody_can_go_on(self):
        return False


class OneCondition(BoundedBuffer):
    """Wrong: notify wakes any sleeper."""

    def can_wake(self, t, other):
        return self.asleep[other]
