"""Log replication: a leader appends entries to its log, and followers copy them one after the other.

An entry is committed when a majority has it, and then every server may apply it. The leader does not change, so logs
are prefixes of the leader's. Teaches: queues of records, and wide states with few different parts: with
servers=5 length=5 a state has 633 bits, and `--store tree` keeps it in a few bytes. The mistaken version
commits what only the leader has.
"""

# expect: LogReplication servers=3 length=2: holds
# expect: LogReplication servers=3 length=3: holds
# expect: Hasty servers=3 length=2: violated what_is_committed_is_held_by_a_majority

from asset import Array, Int, Model, Queue, Record, invariant, may_progress, terminal, transition, when


class Entry(Record):
    key: Int(0, 255)
    value: Int(0, 65535)


class LogReplication(Model):
    servers: int = 3  # server 0 leads
    length: int = 2

    def state(self):
        self.log = Array(self.servers, Queue(self.length, Entry))
        self.committed = Int(0, self.length)
        self.applied = Array(self.servers, Int(0, self.length))

    @transition(write="2")
    def append(self, write):
        when(not self.log[0].full())
        self.log[0].put(Entry(255 * write, 65535 * write))

    @transition(i="range(1, servers)")
    def copy(self, i):
        held = len(self.log[i])
        when(held < len(self.log[0]))
        self.log[i].put(self.log[0][held])

    @transition
    def commit(self):
        when(self.committed < len(self.log[0]) and self.may_commit())
        self.committed += 1

    def may_commit(self):
        return 2 * self.holders(self.committed) > self.servers

    def holders(self, place):
        return sum(len(log) > place for log in self.log)

    @transition(i="servers")
    def apply(self, i):
        when(self.applied[i] < min(self.committed, len(self.log[i])))
        self.applied[i] += 1

    @invariant
    def what_is_committed_is_held_by_a_majority(self):
        return self.committed == 0 or 2 * self.holders(self.committed - 1) > self.servers

    @invariant
    def followers_have_what_the_leader_has(self):
        return all(log[k] == self.log[0][k] for log in self.log for k in range(len(log)))

    @terminal
    def everything_is_applied_everywhere(self):
        return all(applied == self.length for applied in self.applied)

    @may_progress
    def everything_can_be_committed(self):
        return self.committed == self.length


class Hasty(LogReplication):
    def may_commit(self):
        return True
