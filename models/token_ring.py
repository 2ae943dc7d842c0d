# A demand-driven token ring: clients ask for a critical section, servers pass one token round on demand.
#
# Teaches: state variables, a family of transitions for each station, guards (`when`), an invariant, and what a
# terminal state must satisfy. The token stays where it is while nobody wants it: requests travel the ring in one
# direction, the token follows in the other. A client may also stop for good; so a run can end, and where it ends
# nobody may be left waiting.
#
# expect: n=2: holds, 68 states, 140 edges, 2 terminal
# expect: n=3: holds, 468 states, 1350 edges, 3 terminal
# expect: n=4: holds, 2928 states, 10880 edges, 4 terminal
# expect: n=5: holds, 17280 states, 78600 edges, 5 terminal

from enum import IntEnum

from asset import Array, Model, invariant, terminal, transition, when


class Client(IntEnum):
    IDLE = 0
    REQUESTED = 1
    CRITICAL = 2
    STOPPED = 3


class Server(IntEnum):
    IDLE = 0
    WAITING = 1  # for the token
    SERVING = 2  # its client is in the critical section, or has just left it


class TokenRing(Model):
    """A demand-driven token ring of n stations, each a client and a server."""

    n: int = 6

    def state(self):
        self.client = Array(self.n, Client.IDLE)
        self.server = Array(self.n, Server.IDLE)
        self.token = Array(self.n, False)
        self.token[1] = True

    @transition(i="n")
    def client_step(self, i):
        """The client asks for the critical section, or leaves it."""
        when(self.client[i] in (Client.IDLE, Client.CRITICAL))
        self.client[i] = Client.REQUESTED if self.client[i] == Client.IDLE else Client.IDLE

    @transition(i="n")
    def stop(self, i):
        """The client stops for good."""
        when(self.client[i] == Client.IDLE)
        self.client[i] = Client.STOPPED

    @transition(i="n")
    def server_step(self, i):
        match self.server[i]:
            case Server.IDLE:
                when(self.client[i] == Client.REQUESTED or self.wants_token(self.next(i)))
                self.server[i] = Server.WAITING
            case Server.WAITING:
                when(self.token[i])
                if self.client[i] == Client.REQUESTED:
                    self.client[i] = Client.CRITICAL
                    self.server[i] = Server.SERVING
                else:
                    when(self.server[self.next(i)] == Server.WAITING)
                    self.pass_token(i)
            case Server.SERVING:
                when(self.client[i] != Client.CRITICAL)
                self.pass_token(i)

    def next(self, i):
        return (i + 1) % self.n

    def wants_token(self, i):
        # A server that has the token already needs nobody's help: asking for it would send the token round for ever.
        return self.server[i] == Server.WAITING and not self.token[i]

    def pass_token(self, i):
        self.token[i] = False
        self.token[self.next(i)] = True
        self.server[i] = Server.IDLE

    @invariant
    def mutual_exclusion(self):
        return sum(c == Client.CRITICAL for c in self.client) <= 1

    @terminal
    def everyone_stopped(self):
        return all(c == Client.STOPPED for c in self.client)
