"""The election of a leader in Raft: each server votes once in a term, and a majority of votes makes a leader.

A server that hears nothing begins the next term and asks the others for their votes. Messages may be late or come in
any order; a message that is taken out is gone. Teaches: names that are no numbers (an Enum), `match` on the class of a
message, and `choose` over what is in the state: `receive` is a transition for each message that could be under way.
With three servers and two terms there are 33,375 states and 171,054 edges; with `--symmetry auto`, as servers
are alike, 5,645 and 28,974.
"""

# expect: RaftElection servers=3 terms=1: holds, 269 states, 642 edges
# expect: RaftElection servers=3 terms=1 symmetry=auto: holds, 54 states, 133 edges
# expect: Forgetful servers=3 terms=1: violated one_leader_in_a_term

from enum import Enum

from asset import Array, Int, Model, Optional, Record, Set, choose, invariant, transition, when


class Role(Enum):
    FOLLOWER = "follower"
    CANDIDATE = "candidate"
    LEADER = "leader"


class RequestVote(Record):
    term: int
    candidate: int
    voter: int


class Vote(Record):
    term: int
    candidate: int
    voter: int


class RaftElection(Model):
    servers: int = 3
    terms: int = 2

    def state(self):
        server, term = Int(0, self.servers - 1), Int(0, self.terms)
        self.term = Array(self.servers, term)
        self.role = Array(self.servers, Role.FOLLOWER)
        self.voted_for = Array(self.servers, Optional(server))
        self.votes = Array(self.servers, Set(self.servers))  # those that a candidate got in its term
        self.network = Set(RequestVote(term, server, server) | Vote(term, server, server))

    def follow(self, i, term):
        """Whoever hears of a later term is a follower in it, and has not voted yet."""
        if term > self.term[i]:
            self.term[i] = term
            self.role[i] = Role.FOLLOWER
            self.voted_for[i] = None
            self.votes[i].clear()

    @transition(i="servers")
    def timeout(self, i):
        when(self.role[i] is not Role.LEADER and self.term[i] < self.terms)
        self.term[i] += 1
        self.role[i] = Role.CANDIDATE
        self.voted_for[i] = i
        self.votes[i] = {i}
        for j in range(self.servers):
            if j != i:
                self.network.add(RequestVote(self.term[i], i, j))

    @transition
    def receive(self):
        message = choose(self.network)
        self.network.remove(message)
        match message:
            case RequestVote(term, candidate, voter):
                self.follow(voter, term)
                if term == self.term[voter] and self.may_vote(voter, candidate):
                    self.voted_for[voter] = candidate
                    self.network.add(Vote(term, candidate, voter))
            case Vote(term, candidate, voter):
                self.follow(candidate, term)
                if term == self.term[candidate] and self.role[candidate] is Role.CANDIDATE:
                    self.votes[candidate].add(voter)

    def may_vote(self, voter, candidate):
        return self.voted_for[voter] in (None, candidate)

    @transition(i="servers")
    def become_leader(self, i):
        when(self.role[i] is Role.CANDIDATE and 2 * len(self.votes[i]) > self.servers)
        self.role[i] = Role.LEADER

    @invariant
    def one_leader_in_a_term(self):
        leading = [self.term[i] for i in range(self.servers) if self.role[i] is Role.LEADER]
        return len(leading) == len(set(leading))


class Forgetful(RaftElection):
    """A voter that does not remember whom it voted for."""

    def may_vote(self, voter, candidate):
        return True
