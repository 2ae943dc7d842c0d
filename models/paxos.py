"""Paxos: acceptors agree on one value by ballots, though messages may be late, repeated or lost.

A message that was sent stays sent: `self.sent` is the set of all of them, and a process may act on any of them at any
time, or never. Teaches: a Set of messages of several classes, `isinstance`, comprehensions with conditions, and
symmetries: acceptors are alike, and so are values, as none is preferred (`max` of the votes, which are tuples, would
prefer the larger value). With three acceptors there are 3,921 states and 9,418 edges, with `--symmetry auto` 443.
"""

# expect: Paxos: holds, 145 states, 240 edges
# expect: Paxos acceptors=3 symmetry=auto: holds, 443 states, 1096 edges
# expect: Forgetful: violated at_most_one_is_chosen, 12 steps

from asset import Array, Int, Model, Optional, Record, Set, invariant, transition, when


class Prepare(Record):  # "who will take part in this ballot?"
    ballot: int


class Promise(Record):  # "I do, and in none before it; this is what I voted for last"
    ballot: int
    acceptor: int
    vote: int


class Propose(Record):  # "vote for this value"
    ballot: int
    value: int


class Accept(Record):  # "I voted for it"
    ballot: int
    value: int
    acceptor: int


class Paxos(Model):
    acceptors: int = 2
    ballots: int = 2
    values: int = 2

    def state(self):
        ballot, value, acceptor = Int(0, self.ballots - 1), Int(0, self.values - 1), Int(0, self.acceptors - 1)
        vote = Optional((ballot, value))
        messages = Prepare(ballot) | Promise(ballot, acceptor, vote) | Propose(ballot, value)
        self.sent = Set(messages | Accept(ballot, value, acceptor))
        self.promised = Array(self.acceptors, Int(-1, self.ballots - 1, -1))
        self.voted = Array(self.acceptors, vote)

    @transition(b="ballots")
    def prepare(self, b):
        when(Prepare(b) not in self.sent)
        self.sent.add(Prepare(b))

    @transition(a="acceptors", b="ballots")
    def promise(self, a, b):
        when(Prepare(b) in self.sent and self.promised[a] < b)
        self.promised[a] = b
        self.sent.add(Promise(b, a, self.voted[a]))

    @transition(b="ballots", v="values")
    def propose(self, b, v):
        when(not any(isinstance(m, Propose) and m.ballot == b for m in self.sent))
        promises = [m for m in self.sent if isinstance(m, Promise) and m.ballot == b]
        when(2 * len(promises) > self.acceptors)
        last = max((m.vote[0] for m in promises if m.vote is not None), default=-1)
        when(last < 0 or any(m.vote == (last, v) for m in promises))  # what they voted for in their last ballot
        self.sent.add(Propose(b, v))

    @transition(a="acceptors", b="ballots", v="values")
    def accept(self, a, b, v):
        when(Propose(b, v) in self.sent and self.may_vote(a, b) and Accept(b, v, a) not in self.sent)
        self.promised[a] = b
        self.voted[a] = (b, v)
        self.sent.add(Accept(b, v, a))

    def may_vote(self, a, b):
        return self.promised[a] <= b

    def is_chosen(self, v):
        return any(
            2 * sum(isinstance(m, Accept) and m.ballot == b and m.value == v for m in self.sent) > self.acceptors
            for b in range(self.ballots)
        )

    @invariant
    def at_most_one_is_chosen(self):
        return sum(self.is_chosen(v) for v in range(self.values)) <= 1


class Forgetful(Paxos):
    """Acceptors do not keep their promises."""

    def may_vote(self, a, b):
        return True
