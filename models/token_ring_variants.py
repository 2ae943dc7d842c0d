# Variants of the token ring: two mistakes, and what symmetry does to a property of one client.
#
# Teaches: variants as subclasses of a model in another file, must progress, and its limits under reductions.
#
# EagerRing leaves out a test, and unneeded requests go round for ever once everybody has stopped. Mutual exclusion does
# not suffer, and as nobody is left waiting, nothing is found without stubborn sets; their check that the model can
# always come to an end finds it. (The rules that it inherits were written for the ring, and are not quite right for it:
# a server that has the token and moves on takes away from the one before it the reason to move. An audit says so.)
#
# ServedRing asks that client 0 does not wait for ever. In KeepingRing it may: a server that keeps the token serves its
# own client again and again. With stubborn sets such a mistake may be found, but that none is found proves nothing.
#
# Turning the ring makes client 0 another client: the property of ServedRing does not survive that (an audit says so),
# and with a symmetry that is written by hand nothing can be concluded. TrackedRing remembers who was client 0 at first;
# then the answer is right, but no two states are alike. Symmetries that are found (symmetry=auto) need none of that:
# who client 0 has become is followed, and the space stays small.
#
# expect: EagerRing n=2: holds, 108 states, 248 edges, 2 terminal
# expect: EagerRing n=2 symmetry=hand: holds, 54 states, 124 edges, 1 terminal
# expect: EagerRing n=2 termination=on: violated termination, 108 states, 248 edges
# expect: EagerRing n=2 stubborn=hand termination=on: violated termination, 67 states, 93 edges
# expect: EagerRing n=2 stubborn=hand audit=2: violated audit
# expect: ServedRing n=2: holds, 68 states, 140 edges, 2 terminal
# expect: ServedRing n=2 stubborn=hand: undecided
# expect: ServedRing n=2 symmetry=hand: undecided
# expect: ServedRing n=2 symmetry=hand audit=1: violated audit
# expect: ServedRing n=2 symmetry=hand only=safety,deadlock: holds, 34 states, 70 edges, 1 terminal
# expect: ServedRing n=4: holds, 2928 states, 10880 edges, 4 terminal
# expect: ServedRing n=4 symmetry=auto: holds, 732 states, 2720 edges, 1 terminal
# expect: KeepingRing n=2: violated client_0_served, 68 states, 141 edges
# expect: KeepingRing n=2 stubborn=hand: violated client_0_served, 46 states, 66 edges
# expect: KeepingRing n=8: violated client_0_served, 2472336 states, 17539200 edges
# expect: KeepingRing n=8 stubborn=hand: violated client_0_served, 163264 states, 293984 edges
# expect: KeepingRing n=4 symmetry=auto: violated client_0_served, 840 states, 3128 edges
# expect: TrackedRing n=2: holds, 68 states, 140 edges, 2 terminal
# expect: TrackedRing n=2 symmetry=hand: holds, 68 states, 140 edges, 2 terminal
# expect: TrackedRing n=4 symmetry=hand: holds, 2928 states, 10880 edges, 4 terminal

from token_ring import Client, Server, TokenRing

from asset import Int, must_progress


class EagerRing(TokenRing):
    """Wrong: a server asks for the token on behalf of the next one even if that one has it already."""

    def wants_token(self, i):
        return self.server[i] == Server.WAITING


class ServedRing(TokenRing):
    """The ring, and the promise that a client's request is granted in the end."""

    @must_progress
    def client_0_served(self):
        return self.client[0] != Client.REQUESTED


class KeepingRing(ServedRing):
    """Wrong: a server that has served its client keeps the token, and may serve it again before all others."""

    def finish(self, i):
        self.server[i] = Server.WAITING


class TrackedRing(ServedRing):
    """The ring with a variable that says where the client is that was client 0 at first."""

    def state(self):
        super().state()
        self.original = Int(0, self.n - 1)

    def turn(self):
        super().turn()
        self.original = self.previous(self.original)

    @must_progress
    def client_0_served(self):
        return self.client[self.original] != Client.REQUESTED
