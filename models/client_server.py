"""Clients and servers that talk over two first-in-first-out channels.

A client prepares a request in two steps of its own, sends its number and waits until the head of the replies is its
number. A server takes a number, works on it in two steps and sends it back. Teaches: queues in the state, a guard on
the head of a queue, and that a server which forgets nothing (its last number stays) costs states.
"""

# expect: clients=3 servers=1: holds, 510 states, 1302 edges, 0 terminal
# expect: clients=3 servers=3: holds, 12798 states, 42138 edges, 0 terminal
# expect: clients=2 servers=2 replies=1: holds

from enum import IntEnum

from asset import Array, Int, Model, Queue, Record, invariant, may_progress, transition, when


class Client(IntEnum):
    SERVED = 0
    THINKING = 1
    READY = 2
    WAITING = 3


class Work(IntEnum):
    IDLE = 0
    BEGUN = 1
    GOING_ON = 2
    ANSWERED = 3  # its answer is ready to be sent


class Server(Record):
    work: Work = Work.IDLE
    client: int  # whose request it is, or was


class ClientServer(Model):
    clients: int = 3
    servers: int = 1
    replies: int = 0  # the capacity of the replies; 0: one for each server

    def state(self):
        self.client = Array(self.clients, Client.SERVED)
        self.server = Array(self.servers, Server(client=Int(0, self.clients - 1)))
        self.requests = Queue(self.clients, Int(0, self.clients - 1))
        self.answers = Queue(self.replies or self.servers, Int(0, self.clients - 1))

    @transition(c="clients")
    def think(self, c):
        when(self.client[c] == Client.SERVED)
        self.client[c] = Client.THINKING

    @transition(c="clients")
    def prepare(self, c):
        when(self.client[c] == Client.THINKING)
        self.client[c] = Client.READY

    @transition(c="clients")
    def send(self, c):
        when(self.client[c] == Client.READY and not self.requests.full())
        self.requests.put(c)
        self.client[c] = Client.WAITING

    @transition(c="clients")
    def receive(self, c):
        when(self.client[c] == Client.WAITING and not self.answers.empty() and self.answers.peek() == c)
        self.answers.get()
        self.client[c] = Client.SERVED

    @transition(s="servers")
    def accept(self, s):
        when(self.server[s].work == Work.IDLE and not self.requests.empty())
        self.server[s].client = self.requests.get()
        self.server[s].work = Work.BEGUN

    @transition(s="servers")
    def work(self, s):
        server = self.server[s]
        when(server.work == Work.BEGUN or server.work == Work.GOING_ON)
        server.work = Work(server.work + 1)

    @transition(s="servers")
    def reply(self, s):
        server = self.server[s]
        when(server.work == Work.ANSWERED and not self.answers.full())
        self.answers.put(server.client)
        server.work = Work.IDLE

    @invariant
    def nobody_waits_twice(self):
        """A client is in at most one of the queues, once, and only if it waits."""
        return all(
            sum(c == r for r in self.requests) + sum(c == a for a in self.answers) <= (self.client[c] == Client.WAITING)
            for c in range(self.clients)
        )

    @may_progress
    def client_0_served(self):
        return self.client[0] != Client.WAITING
