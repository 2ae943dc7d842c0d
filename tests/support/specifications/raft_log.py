"""Replication of Raft's log by a leader that is elected by fiat: AppendEntries with consistency check; bounded."""

from asset import Array, Int, Model, Optional, Queue, Record, Set, choose, invariant, transition, when


class Append(Record):
    term: int
    to: int
    prev_index: int
    prev_term: int
    entry: int  # its term; none if it only checks
    commit: int


class RaftLog(Model):
    n: int = 2
    terms: int = 2
    size: int = 2

    def state(self):
        term, index, node = Int(0, self.terms), Int(0, self.size), Int(0, self.n - 1)
        self.term = Array(self.n, Int(0, self.terms))
        self.leader = Optional(node)
        self.log = Array(self.n, Queue(self.size, term))
        self.commit = Array(self.n, Int(0, self.size))
        self.match = Array(self.n, Int(0, self.size))
        self.sent = Set(Append(term, node, index, term, Optional(term), index), at_most=3)

    def last_term(self, i):
        return self.log[i][-1] if self.log[i] else 0

    def up_to_date(self, i, j):
        return (self.last_term(i), len(self.log[i])) >= (self.last_term(j), len(self.log[j]))

    @transition(i="n")
    def elect(self, i):
        new = max(self.term) + 1
        when(new <= self.terms)
        votes = {j for j in range(self.n) if self.up_to_date(i, j)}
        when(2 * len(votes) > self.n)
        for j in sorted(votes):
            self.term[j] = new
        self.leader = i
        self.match = [0] * self.n

    @transition
    def client(self):
        when(self.leader is not None and not self.log[self.leader].full())
        self.log[self.leader].append(self.term[self.leader])

    @transition(j="n", k="range(size + 1)")
    def send(self, j, k):
        i = self.leader
        when(i is not None and i != j and k <= len(self.log[i]) and len(self.sent) < 3)
        entry = self.log[i][k] if k < len(self.log[i]) else None
        prev = self.log[i][k - 1] if k > 0 else 0
        message = Append(self.term[i], j, k, prev, entry, min(self.commit[i], k))
        when(message not in self.sent)
        self.sent.add(message)

    @transition
    def receive(self):
        m = choose(self.sent)
        j = m.to
        self.sent.remove(m)
        when(m.term >= self.term[j])
        self.term[j] = m.term
        consistent = m.prev_index == 0 or (
            m.prev_index <= len(self.log[j]) and self.log[j][m.prev_index - 1] == m.prev_term
        )
        when(consistent)
        if m.entry is not None:
            log = self.log[j]
            if len(log) > m.prev_index and log[m.prev_index] != m.entry:
                self.log[j] = list(log)[: m.prev_index]
            if len(self.log[j]) == m.prev_index:
                self.log[j].append(m.entry)
        if self.leader is not None and self.term[self.leader] == m.term:
            have = m.prev_index + (0 if m.entry is None else 1)
            self.match[j] = max(self.match[j], have)
        self.commit[j] = max(self.commit[j], m.commit)

    @transition
    def commit_one(self):
        i = self.leader
        when(i is not None)
        k = self.commit[i]
        when(k < len(self.log[i]) and self.log[i][k] == self.term[i])
        agree = [j for j in range(self.n) if j == i or self.match[j] > k]
        when(2 * len(agree) > self.n)
        self.commit[i] += 1

    @invariant
    def committed_stays(self):
        pairs = [(i, j) for i in range(self.n) for j in range(self.n) if i < j]
        return all(
            self.log[i][k] == self.log[j][k]
            for i, j in pairs
            for k in range(min(self.commit[i], self.commit[j], len(self.log[i]), len(self.log[j])))
        )

    @invariant
    def matching(self):
        return all(c <= len(log) for c, log in zip(self.commit, self.log, strict=True))
