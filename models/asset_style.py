# A counting semaphore, written in the style of the original ASSET.
#
# Teaches: the style with numbered transitions. `nr_transitions` says how many there are; `fire_transition(t)` changes
# the state and returns True, or returns False, having changed nothing, where t is disabled; `check_state` and
# `check_deadlock` return None where all is well and otherwise say what is wrong. Transition t < n is the next step of
# customer t; transition n + t is customer t stopping for good.
#
# A Forgetful customer may stop while it is inside. It keeps its place, and in the end the others wait for ever.
#
# expect: Semaphore n=3 places=2: holds, 63 states, 186 edges, 1 terminal
# expect: Semaphore n=5 places=2: holds, 918 states, 4320 edges, 1 terminal
# expect: Forgetful n=3 places=2: violated check_deadlock, 104 states, 324 edges, 7 steps

from enum import IntEnum

from asset import Array, Int, Model


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


class Forgetful(Semaphore):
    """Wrong: a customer may stop inside, and keeps its place."""

    def stop(self, i):
        if self.customer[i] not in (Customer.IDLE, Customer.INSIDE):
            return False
        self.customer[i] = Customer.STOPPED
        return True

    def check_state(self):
        return None  # places do get lost; what comes of it is for check_deadlock to say
