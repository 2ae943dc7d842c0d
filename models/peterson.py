# Peterson's mutual exclusion algorithm for n customers, in four forms.
#
# Teaches: a program counter as an IntEnum, one transition for each customer that makes its next atomic step, variants
# of a model as subclasses that override one small method, may progress, and obligation rules that are coarse but pay.
#
# To reach the critical section a customer goes through n - 1 gates. At each gate it announces its level, then gives
# way by writing its own number to the gate, then waits until somebody else has written there or until nobody else
# is at that level or further. An atomic step reads or writes one shared variable at most, so the second test is a
# loop over the customers. Finished loops leave their last values in `gate` and `other`: they are part of the state.
#
# Peterson is right. In PetersonRevealing the first gate has level 0, which looks just like not taking part: a
# customer then waits for ever for one that has stopped. PetersonUnrevealing has the same mistake, but its customers
# cannot stop, and that hides it. (Both keep mutual exclusion; what they lack is progress.) PetersonSwapped gives
# way before it announces itself, and two customers get in.
#
# A waiting customer repeats a loop, so not every run serves customer 0 (must progress); but it must always remain
# possible (may progress). With stubborn sets, PetersonUnrevealing is reported as well: it can never come to an end.
#
# expect: PetersonUnrevealing n=2: holds, 133 states, 266 edges, 0 terminal
# expect: PetersonUnrevealing n=2 stubborn=hand termination=on: violated termination, 88 states, 124 edges, 0 terminal
# expect: PetersonUnrevealing n=3: holds, 38038 states, 114114 edges, 0 terminal
# expect: PetersonUnrevealing n=3 stubborn=hand termination=on: violated termination, 18817 states, 34083 edges
# expect: PetersonUnrevealing n=4 only=safety,deadlock: holds, 12346971 states, 49387884 edges, 0 terminal
# expect: PetersonRevealing n=2 only=safety,deadlock: holds, 163 states, 326 edges, 1 terminal
# expect: PetersonRevealing n=2: violated customer_0_served, 163 states, 326 edges, 1 terminal
# expect: PetersonRevealing n=2 stubborn=hand: violated, 116 states, 162 edges, 1 terminal
# expect: PetersonRevealing n=3 only=safety,deadlock: holds, 43675 states, 131025 edges, 1 terminal
# expect: PetersonRevealing n=3: violated customer_0_served, 43675 states, 131025 edges, 1 terminal
# expect: PetersonRevealing n=3 stubborn=hand: violated, 23134 states, 41562 edges, 1 terminal
# expect: PetersonRevealing n=4 only=safety,deadlock: holds, 14186506 states, 56746024 edges, 1 terminal
# expect: Peterson n=2: holds, 574 states, 1148 edges, 8 terminal
# expect: Peterson n=2 stubborn=hand: holds, 378 states, 522 edges, 8 terminal
# expect: Peterson n=3: holds, 96854 states, 290562 edges, 27 terminal
# expect: Peterson n=3 stubborn=hand: holds, 44868 states, 78750 edges, 27 terminal
# expect: Peterson n=4 only=safety,deadlock: holds, 26209918 states, 104839672 edges, 72 terminal
# expect: PetersonSwapped n=2: violated mutual_exclusion, 336 states, 602 edges, 17 steps
# expect: PetersonSwapped n=2 stubborn=hand: violated mutual_exclusion, 219 states, 258 edges
# expect: PetersonSwapped n=3: violated mutual_exclusion, 32957 states, 87081 edges, 30 steps
# expect: PetersonSwapped n=3 stubborn=hand: violated mutual_exclusion, 15164 states, 22100 edges
# expect: PetersonSwapped n=4: violated mutual_exclusion, 6614675 states, 23547787 edges, 47 steps
# expect: PetersonRevealing n=2 stubborn=auto: violated, 1 terminal
# expect: Peterson n=2 stubborn=auto: holds, 8 terminal
# expect: PetersonSwapped n=2 stubborn=auto: violated mutual_exclusion

from enum import IntEnum

from asset import Array, Int, Model, invariant, may_progress, obligations, stb, stb_all, terminal, transition, when


class At(IntEnum):
    """What a customer does next."""

    START = 0
    NEXT_GATE = 1
    FIRST_WRITE = 2
    SECOND_WRITE = 3
    CHECK_GATE = 4
    NEXT_OTHER = 5
    CHECK_OTHER = 6
    CRITICAL = 7
    STOPPED = 8


class Peterson(Model):
    """Peterson's algorithm for n customers, with customers that may stop before they ask for the critical section."""

    n: int = 3

    def state(self):
        self.at = Array(self.n, At.START)
        self.gate = Array(self.n, Int(0, self.n - 1))  # where customer i is on its way
        self.other = Array(self.n, Int(0, self.n))  # whom customer i looks at in its waiting loop
        self.level = Array(self.n, Int(0, self.n - 1))  # shared: how far customer i says it wants to go
        self.last = Array(self.n - 1, Int(0, self.n - 1))  # shared: who came to the gate last, and so has to wait

    @transition(i="n")
    def step(self, i):
        match self.at[i]:
            case At.START:
                self.gate[i] = 0
                self.at[i] = At.NEXT_GATE
            case At.NEXT_GATE:
                self.at[i] = At.FIRST_WRITE if self.gate[i] < self.n - 1 else At.CRITICAL
            case At.FIRST_WRITE:
                self.first_write(i)
                self.at[i] = At.SECOND_WRITE
            case At.SECOND_WRITE:
                self.second_write(i)
                self.at[i] = At.CHECK_GATE
            case At.CHECK_GATE:
                if self.last[self.gate[i]] != i:
                    self.go_through(i)
                else:
                    self.other[i] = 0
                    self.at[i] = At.NEXT_OTHER
            case At.NEXT_OTHER:
                if self.other[i] < self.n:
                    self.at[i] = At.CHECK_OTHER
                else:
                    self.go_through(i)
            case At.CHECK_OTHER:
                if self.other[i] == i or self.level[self.other[i]] < self.level_of(self.gate[i]):
                    self.other[i] += 1
                    self.at[i] = At.NEXT_OTHER
                else:
                    self.at[i] = At.CHECK_GATE
            case At.CRITICAL:
                self.level[i] = 0
                self.at[i] = At.START
            case At.STOPPED:
                when(False)

    @transition(i="n")
    def stop(self, i):
        when(self.at[i] == At.START)
        self.at[i] = At.STOPPED

    def first_write(self, i):
        self.announce(i)

    def second_write(self, i):
        self.give_way(i)

    def announce(self, i):
        self.level[i] = self.level_of(self.gate[i])

    def give_way(self, i):
        self.last[self.gate[i]] = i

    def go_through(self, i):
        self.gate[i] += 1
        self.at[i] = At.NEXT_GATE

    def level_of(self, gate):
        return gate + 1  # 0 is for those who do not take part

    @invariant
    def mutual_exclusion(self):
        return sum(at == At.CRITICAL for at in self.at) <= 1

    @terminal
    def everyone_stopped(self):
        return all(at == At.STOPPED for at in self.at)

    @may_progress
    def customer_0_served(self):
        return self.at[0] in (At.CRITICAL, At.STOPPED)

    @obligations(step)
    def step_obliges(self, i):
        match self.at[i]:
            case At.START:
                stb(self.stop, i)
            case At.CHECK_GATE if self.last[self.gate[i]] != i:
                pass  # only the customer itself could write its number there again: nobody can close the gate before it
            case At.FIRST_WRITE | At.SECOND_WRITE | At.CHECK_GATE | At.CHECK_OTHER:
                stb_all()  # what others write and read here is not looked at more closely
            case At.CRITICAL:
                stb_all()  # leaving takes the state away from a violation of mutual exclusion

    @obligations(stop)
    def stop_obliges(self, i):
        stb(self.step, i)


class PetersonRevealing(Peterson):
    """Wrong: the level of the first gate is also the level of those who do not take part."""

    def level_of(self, gate):
        return gate


class PetersonUnrevealing(PetersonRevealing):
    """Just as wrong, but no customer ever stops, so that sooner or later another one comes to the gate."""

    @transition(i="n")
    def stop(self, i):
        when(False)


class PetersonSwapped(Peterson):
    """Wrong: while a customer has given way but not yet announced itself, the others do not see it."""

    def first_write(self, i):
        self.give_way(i)

    def second_write(self, i):
        self.announce(i)
