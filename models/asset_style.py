# A counting semaphore, written in the style of the original ASSET.
#
# Teaches: the style with numbered transitions. `nr_transitions` says how many there are; `fire_transition(t)` changes
# the state and returns True, or, if t is disabled, changes nothing and returns False; `check_state` and
# `check_deadlock` return None if all is well and otherwise say what is wrong. Transition t < n is the next step of
# customer t; transition n + t is customer t stopping for good. Reductions are written in the same style:
# `next_stubborn(t)` lists the numbers of the transitions that must be in a stubborn set if t is in it, and
# `symmetry_representative` replaces the state by a symmetric one. Customers are alike, so here it sorts them.
#
# A Forgetful customer may stop while it is inside. It keeps its place, and in the end the others wait for ever.
#
# expect: Semaphore n=3 places=2: holds, 63 states, 186 edges, 1 terminal
# expect: Semaphore n=5 places=2: holds, 918 states, 4320 edges, 1 terminal
# expect: Semaphore n=5 places=2 stubborn=hand: holds, 207 states, 350 edges, 1 terminal
# expect: Semaphore n=5 places=2 symmetry=hand: holds, 46 states, 220 edges, 1 terminal
# expect: Semaphore n=5 places=2 stubborn=hand symmetry=hand: holds, 26 states, 50 edges, 1 terminal
# expect: Forgetful n=3 places=2: violated check_deadlock, 104 states, 324 edges, 7 steps
# expect: Forgetful n=3 places=2 stubborn=hand symmetry=hand: violated check_deadlock, 22 states, 33 edges

from enum import IntEnum

from asset import Array, Int, Model, stb


class Customer(IntEnum):
    IDLE = 0
    WAITING = 1
    INSIDE = 2
    STOPPED = 3


class Semaphore(Model):
    """n customers share `places` places."""

    n: int = 3
    places: int = 2

    def state(self):
        self.customer = Array(self.n, Customer.IDLE)
        self.free = Int(0, self.places, self.places)

    def nr_transitions(self):
        return 2 * self.n

    def fire_transition(self, t):
        if t >= self.n:
            return self.stop(t - self.n)
        match self.customer[t]:
            case Customer.IDLE:
                self.customer[t] = Customer.WAITING
                return True
            case Customer.WAITING:
                if self.free == 0:
                    return False
                self.free -= 1
                self.customer[t] = Customer.INSIDE
                return True
            case Customer.INSIDE:
                self.free += 1
                self.customer[t] = Customer.IDLE
                return True
            case _:
                return False

    def stop(self, i):
        if self.customer[i] != Customer.IDLE:
            return False
        self.customer[i] = Customer.STOPPED
        return True

    def check_state(self):
        if sum(c == Customer.INSIDE for c in self.customer) + self.free != self.places:
            return "A place was lost or invented"
        return None

    def check_deadlock(self):
        if any(c != Customer.STOPPED for c in self.customer):
            return "Customer has not stopped"
        return None

    def next_stubborn(self, t):
        if t >= self.n:
            stb(t - self.n)
            return
        match self.customer[t]:
            case Customer.IDLE | Customer.INSIDE:  # what it does next competes with stopping, and with nothing else
                stb(t + self.n)
            case Customer.WAITING:  # others may take the last place, or give one back
                for other in range(2 * self.n):
                    stb(other)

    def symmetry_representative(self):
        for last in range(self.n - 1, 0, -1):
            for i in range(last):
                if self.customer[i] > self.customer[i + 1]:
                    self.customer[i], self.customer[i + 1] = self.customer[i + 1], self.customer[i]


class Forgetful(Semaphore):
    """Wrong: a customer may stop inside, and keeps its place."""

    def stop(self, i):
        if self.customer[i] not in (Customer.IDLE, Customer.INSIDE):
            return False
        self.customer[i] = Customer.STOPPED
        return True

    def check_state(self):
        return None  # places do get lost; what comes of it is for check_deadlock to say
