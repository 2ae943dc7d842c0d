# Lamport's bakery algorithm: customers draw tickets, and the smallest ticket is served first.
#
# Teaches: bounding what is unbounded. Tickets grow for ever as long as the shop is busy, so the model has a largest
# ticket, and a customer that would need a larger one does not come in: the state space is finite, and every behaviour
# up to that bound is covered. A larger `tickets` covers more.
#
# A customer reads the others' tickets one at a time, one in each atomic step. While it does so its door is closed, and
# others wait before they compare tickets with it. OpenDoor leaves the door open: two customers draw the same ticket,
# one passes the other before that one has put its ticket up, and both are served.
#
# expect: Bakery n=2 tickets=3: holds, 405 states, 735 edges, 1 terminal
# expect: Bakery n=3 tickets=3: holds, 14825 states, 38548 edges, 1 terminal
# expect: OpenDoor n=2 tickets=3: violated mutual_exclusion, 228 states, 408 edges, 18 steps

from enum import IntEnum

from asset import Array, Int, Model, invariant, terminal, transition, when


class At(IntEnum):
    OUTSIDE = 0
    DRAWING = 1  # reading the others' tickets
    WAITING_DOOR = 2  # until customer `other` is not drawing
    WAITING_TURN = 3  # until customer `other` has no smaller ticket
    SERVED = 4
    GONE = 5


class Bakery(Model):
    """The bakery algorithm for n customers with tickets 1 to `tickets`; 0 is no ticket."""

    n: int = 2
    tickets: int = 3

    def state(self):
        self.at = Array(self.n, At.OUTSIDE)
        self.other = Array(self.n, Int(0, self.n))  # whom customer i looks at next
        self.largest = Array(self.n, Int(0, self.tickets))  # the largest ticket customer i has seen
        self.ticket = Array(self.n, Int(0, self.tickets))  # shared
        self.door_closed = Array(self.n, False)  # shared

    @transition(i="n")
    def step(self, i):
        match self.at[i]:
            case At.OUTSIDE:
                self.close_door(i)
                self.at[i] = At.DRAWING
            case At.DRAWING:
                self.draw(i)
            case At.WAITING_DOOR:
                if self.other[i] == self.n:
                    self.other[i] = 0
                    self.at[i] = At.SERVED
                else:
                    when(not self.door_closed[self.other[i]])
                    self.at[i] = At.WAITING_TURN
            case At.WAITING_TURN:
                when(not self.goes_first(self.other[i], i))
                self.other[i] += 1
                self.at[i] = At.WAITING_DOOR
            case At.SERVED:
                self.ticket[i] = 0
                self.at[i] = At.OUTSIDE
            case At.GONE:
                when(False)

    @transition(i="n")
    def go_away(self, i):
        when(self.at[i] == At.OUTSIDE)
        self.at[i] = At.GONE

    def draw(self, i):
        """Looks at one more ticket; after the last one, takes a larger one and opens the door."""
        if self.other[i] < self.n:
            self.largest[i] = max(self.largest[i], self.ticket[self.other[i]])
            self.other[i] += 1
        elif self.largest[i] < self.tickets:
            self.ticket[i] = self.largest[i] + 1
            self.enter(i, At.WAITING_DOOR)
        else:
            self.enter(i, At.OUTSIDE)  # out of tickets: comes back later

    def enter(self, i, at):
        self.largest[i] = 0
        self.other[i] = 0
        self.door_closed[i] = False
        self.at[i] = at

    def close_door(self, i):
        self.door_closed[i] = True

    def goes_first(self, j, i):
        """Has j a ticket smaller than that of i? Of equal tickets, that of the customer with the smaller number is."""
        return self.ticket[j] > 0 and (self.ticket[j] < self.ticket[i] or (self.ticket[j] == self.ticket[i] and j < i))

    @invariant
    def mutual_exclusion(self):
        return sum(at == At.SERVED for at in self.at) <= 1

    @terminal
    def everyone_is_gone(self):
        return all(at == At.GONE for at in self.at)


class OpenDoor(Bakery):
    """Wrong: a customer that is drawing a ticket is overlooked."""

    def close_door(self, i):
        pass
