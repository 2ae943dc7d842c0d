# A demand-driven token ring: clients ask for a critical section, servers pass one token round on demand.
#
# Teaches: state variables, a family of transitions for each station, guards (`when`), an invariant, and what a
# terminal state must satisfy. The token stays where it is while nobody wants it: requests travel the ring in one
# direction, the token follows in the other. A client may also stop for good, so a run can end. Then nobody
# may be left waiting.
#
# It teaches reductions written by hand, too. For each transition a rule (`@obligations`) says which others must be in a
# stubborn set that it is in: if it is disabled, those that could enable it; if it is enabled, those whose order with it
# matters. The stations are alike but for the place of the token, so turning the ring until station 1 has it
# (`symmetry_representative`) makes one state of n. What the rules leave out is not missed if the model can always
# come to an end, and that is checked whenever they are used.
#
# expect: n=2: holds, 68 states, 140 edges, 2 terminal
# expect: n=2 stubborn=hand: holds, 44 states, 60 edges, 2 terminal
# expect: n=2 symmetry=hand: holds, 34 states, 70 edges, 1 terminal
# expect: n=2 stubborn=hand symmetry=hand: holds, 22 states, 30 edges, 1 terminal
# expect: n=3: holds, 468 states, 1350 edges, 3 terminal
# expect: n=3 stubborn=hand: holds, 219 states, 327 edges, 3 terminal
# expect: n=3 symmetry=hand: holds, 156 states, 450 edges, 1 terminal
# expect: n=3 stubborn=hand symmetry=hand: holds, 73 states, 109 edges, 1 terminal
# expect: n=4: holds, 2928 states, 10880 edges, 4 terminal
# expect: n=4 stubborn=hand: holds, 920 states, 1432 edges, 4 terminal
# expect: n=4 symmetry=hand: holds, 732 states, 2720 edges, 1 terminal
# expect: n=4 stubborn=hand symmetry=hand: holds, 230 states, 358 edges, 1 terminal
# expect: n=5: holds, 17280 states, 78600 edges, 5 terminal
# expect: n=5 stubborn=hand: holds, 3505 states, 5625 edges, 5 terminal
# expect: n=5 symmetry=hand: holds, 3456 states, 15720 edges, 1 terminal
# expect: n=5 stubborn=hand symmetry=hand: holds, 701 states, 1125 edges, 1 terminal
# expect: n=3 stubborn=auto: holds, 102 states, 125 edges, 3 terminal

from enum import IntEnum

from asset import Array, Model, invariant, obligations, stb, stb_all, terminal, transition, when


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
                self.finish(i)

    def finish(self, i):
        # Passing the token on at once gives everyone else a turn before the client of this station has another.
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

    # Reductions, written by hand.

    @obligations(client_step)
    def client_obliges(self, i):
        match self.client[i]:
            case Client.IDLE:  # to ask or to stop is a choice, and the server may see what was chosen
                stb(self.stop, i)
                stb(self.server_step, i)
            case Client.REQUESTED:
                stb(self.server_step, i)
            case Client.CRITICAL:  # leaving takes the state away from a violation of mutual exclusion
                stb_all()

    @obligations(stop)
    def stop_obliges(self, i):
        stb(self.client_step, i)

    @obligations(server_step)
    def server_obliges(self, i):
        match self.server[i]:
            case Server.IDLE if self.client[i] != Client.REQUESTED and not self.wants_token(self.next(i)):
                stb(self.client_step, i)
                stb(self.server_step, self.next(i))
            case Server.WAITING if not self.token[i]:
                stb(self.server_step, self.previous(i))
            case Server.WAITING if self.client[i] != Client.REQUESTED:
                stb(self.client_step, i)  # a request would keep the token here
                if self.server[self.next(i)] != Server.WAITING:
                    stb(self.server_step, self.next(i))
            case Server.SERVING if self.client[i] == Client.CRITICAL:
                stb(self.client_step, i)

    def previous(self, i):
        return (i + self.n - 1) % self.n

    def symmetry_representative(self):
        while not self.token[1]:
            self.turn()

    def turn(self):
        """Each station becomes the one before it, and the first one the last."""
        self.shift(self.client)
        self.shift(self.server)
        self.shift(self.token)

    def shift(self, stations):
        first = stations[0]
        for i in range(self.n - 1):
            stations[i] = stations[i + 1]
        stations[self.n - 1] = first
