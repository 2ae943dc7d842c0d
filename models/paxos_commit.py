"""Two-phase commit that does not wait for a coordinator: the vote of each participant is agreed on by Paxos.

A participant proposes its own vote in ballot 0. If nothing comes of it, a leader asks the acceptors in a later ballot,
and proposes what they may have accepted already, or else that the participant aborts. Teaches: an instance of a
protocol for each index, in one Set of messages, and a requirement that holds whoever is late. With two
participants there are 1,425 states and 4,061 edges.
"""

# expect: PaxosCommit participants=1: holds, 45 states, 68 edges
# expect: Hasty participants=1: violated nobody_commits_against_its_will

from enum import IntEnum

from asset import Array, Int, Model, Optional, Record, Set, invariant, transition, when


class Vote(IntEnum):
    NO = 0
    YES = 1


class At(IntEnum):
    WORKING = 0
    PREPARED = 1
    COMMITTED = 2
    ABORTED = 3


class Ask(Record):  # "has anything been accepted for this participant?"
    ballot: int
    participant: int


class Report(Record):  # "this was, the last time, and nothing before your ballot will be"
    ballot: int
    participant: int
    acceptor: int
    last: int


class Propose(Record):
    ballot: int
    participant: int
    vote: Vote


class Accept(Record):
    ballot: int
    participant: int
    vote: Vote
    acceptor: int


class PaxosCommit(Model):
    participants: int = 2
    acceptors: int = 1
    ballots: int = 2

    def state(self):
        ballot, p, a = Int(0, self.ballots - 1), Int(0, self.participants - 1), Int(0, self.acceptors - 1)
        last = Optional((ballot, Vote.NO))
        self.at = Array(self.participants, At.WORKING)
        leaders = Ask(ballot, p) | Propose(ballot, p, Vote)
        self.sent = Set(leaders | Report(ballot, p, a, last) | Accept(ballot, p, Vote, a))
        self.promised = Array(self.acceptors, Array(self.participants, ballot))
        self.accepted = Array(self.acceptors, Array(self.participants, last))
        self.decided = Optional(Vote.NO)

    # --- participants -----------------------------------------------------------------------------------------------

    @transition(p="participants", vote=Vote)
    def decide(self, p, vote):
        when(self.at[p] == At.WORKING)
        self.at[p] = At.PREPARED if vote == Vote.YES else At.ABORTED
        self.sent.add(Propose(0, p, vote))

    @transition(p="participants")
    def learn(self, p):
        when(self.decided is not None and self.at[p] in (At.WORKING, At.PREPARED))
        self.at[p] = At.COMMITTED if self.decided == Vote.YES else At.ABORTED

    # --- leaders ----------------------------------------------------------------------------------------------------

    @transition(b="range(1, ballots)", p="participants")
    def ask(self, b, p):
        when(Ask(b, p) not in self.sent)
        self.sent.add(Ask(b, p))

    @transition(b="range(1, ballots)", p="participants", vote=Vote)
    def propose(self, b, p, vote):
        when(not any(isinstance(m, Propose) and m.ballot == b and m.participant == p for m in self.sent))
        reports = [m for m in self.sent if isinstance(m, Report) and m.ballot == b and m.participant == p]
        when(2 * len(reports) > self.acceptors)
        when(vote == self.safe_vote([m.last for m in reports if m.last is not None]))
        self.sent.add(Propose(b, p, vote))

    def safe_vote(self, accepted):
        return max(accepted)[1] if accepted else Vote.NO

    def chosen(self, p, vote):
        return any(
            2 * sum(Accept(b, p, vote, a) in self.sent for a in range(self.acceptors)) > self.acceptors
            for b in range(self.ballots)
        )

    @transition
    def commit(self):
        when(self.decided is None and all(self.chosen(p, Vote.YES) for p in range(self.participants)))
        self.decided = Vote.YES

    @transition
    def abort(self):
        when(self.decided is None and any(self.chosen(p, Vote.NO) for p in range(self.participants)))
        self.decided = Vote.NO

    # --- acceptors --------------------------------------------------------------------------------------------------

    @transition(a="acceptors", b="range(1, ballots)", p="participants")
    def report(self, a, b, p):
        when(Ask(b, p) in self.sent and self.promised[a][p] < b)
        self.promised[a][p] = b
        self.sent.add(Report(b, p, a, self.accepted[a][p]))

    @transition(a="acceptors", b="ballots", p="participants", vote=Vote)
    def accept(self, a, b, p, vote):
        when(Propose(b, p, vote) in self.sent and self.promised[a][p] <= b)
        when(Accept(b, p, vote, a) not in self.sent)
        self.promised[a][p] = b
        self.accepted[a][p] = (b, vote)
        self.sent.add(Accept(b, p, vote, a))

    @invariant
    def all_or_nothing(self):
        return not (At.COMMITTED in self.at and At.ABORTED in self.at)


class Hasty(PaxosCommit):
    """A leader that hears of nothing takes the participant to be willing."""

    def safe_vote(self, accepted):
        return max(accepted)[1] if accepted else Vote.YES

    @invariant
    def nobody_commits_against_its_will(self):
        return not (self.decided == Vote.YES and At.ABORTED in self.at)
