# Two lifts in one building: calls are taken by either of them, doors open, passengers get in and out.
#
# n floors. A lift goes on in its direction as long as there is a call or a stop ahead, and turns else.
# peers/lifts.pml is the same system for SPIN.

from asset import Array, Int, Model, invariant, transition, when


class Lifts(Model):
    n: int = 5
    lifts: int = 2

    def state(self):
        self.call = Array(self.n, False)
        self.stop = Array(self.lifts, Array(self.n, False))
        self.at = Array(self.lifts, Int(0, self.n - 1))
        self.up = Array(self.lifts, True)
        self.open = Array(self.lifts, False)

    def wanted(self, k, f):
        return self.call[f] or self.stop[k][f]

    @transition(f="n")
    def press(self, f):
        when(not self.call[f])
        self.call[f] = True

    @transition(k="lifts")
    def open_door(self, k):
        when(not self.open[k] and self.wanted(k, self.at[k]))
        self.open[k] = True
        self.call[self.at[k]] = False
        self.stop[k][self.at[k]] = False

    @transition(k="lifts", f="n")
    def choose_floor(self, k, f):
        when(self.open[k] and self.at[k] != f and not self.stop[k][f])
        self.stop[k][f] = True

    @transition(k="lifts")
    def close_door(self, k):
        when(self.open[k])
        self.open[k] = False

    @transition(k="lifts")
    def go_up(self, k):
        when(not self.open[k] and self.up[k] and not self.wanted(k, self.at[k]))
        when(any(f > self.at[k] and self.wanted(k, f) for f in range(self.n)))
        self.at[k] += 1

    @transition(k="lifts")
    def go_down(self, k):
        when(not self.open[k] and not self.up[k] and not self.wanted(k, self.at[k]))
        when(any(f < self.at[k] and self.wanted(k, f) for f in range(self.n)))
        self.at[k] -= 1

    @transition(k="lifts")
    def turn(self, k):
        when(not self.open[k] and not self.wanted(k, self.at[k]))
        when(not any((f > self.at[k] if self.up[k] else f < self.at[k]) and self.wanted(k, f) for f in range(self.n)))
        when(any(self.wanted(k, f) for f in range(self.n)))
        self.up[k] = not self.up[k]

    @invariant
    def no_stop_where_the_door_is_open(self):
        return all(not self.open[k] or not self.stop[k][self.at[k]] for k in range(self.lifts))
