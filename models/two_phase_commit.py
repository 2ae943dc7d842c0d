# Two-phase commit: the participants of a transaction all commit or all abort, as a coordinator decides.
#
# Teaches: a subclass that adds a failure as one more transition, and the difference between safety and getting done.
# The coordinator asks everyone to vote, commits if all voted yes, and aborts otherwise. A participant that voted no may
# abort at once; one that voted yes must wait for the decision. If the coordinator crashes meanwhile (class
# CrashingCoordinator), nothing wrong is done, but those who voted yes are stuck: the protocol blocks, and the check of
# terminal states shows how.
#
# expect: TwoPhaseCommit n=3: holds, 62 states, 175 edges, 2 terminal
# expect: TwoPhaseCommit n=6: holds, 1522 states, 8212 edges, 2 terminal
# expect: CrashingCoordinator n=3: violated everyone_is_finished, 82 states, 232 edges, 4 steps
# expect: TwoPhaseCommit n=3 stubborn=auto: holds, 2 terminal
# expect: CrashingCoordinator n=3 stubborn=auto: violated everyone_is_finished

from enum import IntEnum

from asset import Array, Model, invariant, terminal, transition, when


class Coordinator(IntEnum):
    ASKING = 0
    COMMITTED = 1
    ABORTED = 2
    CRASHED = 3


class Participant(IntEnum):
    WORKING = 0
    PREPARED = 1  # voted yes: the decision is out of its hands
    COMMITTED = 2
    ABORTED = 3


class TwoPhaseCommit(Model):
    """A reliable coordinator and n participants. What a party has said is seen by the others in its state."""

    n: int = 3

    def state(self):
        self.coordinator = Coordinator.ASKING
        self.participant = Array(self.n, Participant.WORKING)

    @transition(i="n")
    def vote_yes(self, i):
        when(self.participant[i] == Participant.WORKING)
        self.participant[i] = Participant.PREPARED

    @transition(i="n")
    def vote_no(self, i):
        when(self.participant[i] == Participant.WORKING)
        self.participant[i] = Participant.ABORTED

    @transition
    def decide_commit(self):
        when(self.coordinator == Coordinator.ASKING)
        when(all(p == Participant.PREPARED for p in self.participant))
        self.coordinator = Coordinator.COMMITTED

    @transition
    def decide_abort(self):
        """Somebody voted no, or the coordinator has lost patience: it need not wait for all votes."""
        when(self.coordinator == Coordinator.ASKING)
        self.coordinator = Coordinator.ABORTED

    @transition(i="n")
    def obey(self, i):
        when(self.participant[i] == Participant.PREPARED)
        when(self.coordinator in (Coordinator.COMMITTED, Coordinator.ABORTED))
        committed = self.coordinator == Coordinator.COMMITTED
        self.participant[i] = Participant.COMMITTED if committed else Participant.ABORTED

    @invariant
    def agreement(self):
        return not (
            any(p == Participant.COMMITTED for p in self.participant)
            and any(p == Participant.ABORTED for p in self.participant)
        )

    @terminal
    def everyone_is_finished(self):
        return all(p in (Participant.COMMITTED, Participant.ABORTED) for p in self.participant)


class CrashingCoordinator(TwoPhaseCommit):
    """The coordinator may crash before it decides."""

    @transition
    def crash(self):
        when(self.coordinator == Coordinator.ASKING)
        self.coordinator = Coordinator.CRASHED
