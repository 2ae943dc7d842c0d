# A server and a pool of clients: whoever is in the pool may be served next, one at a time.
#
# Teaches: symmetries that are found. The clients are alike, and nothing depends on their order, so all n! ways to name
# them are symmetric: of states that differ only in names, one is enough. `serving` holds the number of a client; when
# clients are renamed, so is what it holds. Nothing in the model says so: `--symmetry auto` finds it, and
# `asset explain models/client_pool.py --symmetry` shows it.
#
# SeniorFirst serves the client with the smallest number first. That line tells the clients apart, and nothing is
# symmetric any more.
#
# expect: ClientPool n=3: holds, 81 states, 144 edges, 1 terminal
# expect: ClientPool n=3 symmetry=auto: holds, 22 states, 40 edges, 1 terminal
# expect: ClientPool n=6 symmetry=auto: holds, 70 states, 224 edges, 1 terminal
# expect: SeniorFirst n=3 symmetry=auto: holds, 81 states, 136 edges, 1 terminal

from enum import IntEnum

from asset import Array, Int, Model, invariant, terminal, transition, when


class Client(IntEnum):
    AWAY = 0
    IN_POOL = 1
    SERVED = 2
    CONTENT = 3


class ClientPool(Model):
    """n clients who come once, in any order, and are served in any order."""

    n: int = 4

    def state(self):
        self.client = Array(self.n, Client.AWAY)
        self.paid = Array(self.n, False)
        self.serving = Int(0, self.n, self.n)  # the number of a client; n: nobody

    @transition(i="n")
    def come(self, i):
        when(self.client[i] == Client.AWAY)
        self.client[i] = Client.IN_POOL

    @transition(i="n")
    def serve(self, i):
        when(self.serving == self.n and self.client[i] == Client.IN_POOL and self.is_next(i))
        self.serving = i
        self.client[i] = Client.SERVED

    @transition(i="n")
    def pay(self, i):
        when(self.serving == i and not self.paid[i])
        self.paid[i] = True

    @transition
    def finish(self):
        when(self.serving < self.n and self.paid[self.serving])
        self.client[self.serving] = Client.CONTENT
        self.serving = self.n

    def is_next(self, i):
        return True

    @invariant
    def one_at_a_time(self):
        return sum(client == Client.SERVED for client in self.client) <= 1

    @invariant
    def content_clients_have_paid(self):
        return all(self.paid[i] for i in range(self.n) if self.client[i] == Client.CONTENT)

    @terminal
    def everyone_is_content(self):
        return all(client == Client.CONTENT for client in self.client)


class SeniorFirst(ClientPool):
    """Of those in the pool, the client with the smallest number is served."""

    def is_next(self, i):
        return not any(self.client[j] == Client.IN_POOL for j in range(self.n) if j < i)
