"""The same system twice: with queues and records, and packed by hand into integers.

Clients send orders, each with a number and a mark, through a queue to clerks, who answer through another one.
"""

from enum import IntEnum

from asset import Array, Int, Model, Queue, Record, transition, when


class Client(IntEnum):
    IDLE = 0
    WAITING = 1


class Order(Record):
    client: int
    urgent: bool = False


class Clerk(Record):
    busy: bool = False
    order: Order


class Typed(Model):
    clients: int = 5
    clerks: int = 2

    def state(self):
        order = Order(Int(0, self.clients - 1))
        self.client = Array(self.clients, Client.IDLE)
        self.clerk = Array(self.clerks, Clerk(False, order))
        self.orders = Queue(self.clients, order)
        self.answers = Queue(self.clerks, order)

    @transition(c="clients", u=2)
    def ask(self, c, u):
        when(self.client[c] == Client.IDLE and not self.orders.full())
        self.orders.put(Order(c, u == 1))
        self.client[c] = Client.WAITING

    @transition(k="clerks")
    def begin(self, k):
        when(not self.clerk[k].busy and not self.orders.empty())
        self.clerk[k].order = self.orders.get()
        self.clerk[k].busy = True

    @transition(k="clerks")
    def answer(self, k):
        clerk = self.clerk[k]
        when(clerk.busy and not self.answers.full())
        self.answers.put(clerk.order)
        clerk.busy = False
        clerk.order = Order(0, False)

    @transition(c="clients")
    def receive(self, c):
        when(self.client[c] == Client.WAITING and not self.answers.empty() and self.answers.peek().client == c)
        self.answers.get()
        self.client[c] = Client.IDLE


class Packed(Model):
    """An order is its client and, in bit 3, its mark; a queue is a number, four bits for each order, and a length."""

    clients: int = 5
    clerks: int = 2

    def state(self):
        self.client = Array(self.clients, False)
        self.busy = Array(self.clerks, False)
        self.order = Array(self.clerks, Int(0, 15))
        self.orders = Int(0, 16**self.clients - 1)
        self.nr_orders = Int(0, self.clients)
        self.answers = Int(0, 16**self.clerks - 1)
        self.nr_answers = Int(0, self.clerks)

    @transition(c="clients", u=2)
    def ask(self, c, u):
        when(not self.client[c] and self.nr_orders < self.clients)
        self.orders |= (c | u << 3) << (4 * self.nr_orders)
        self.nr_orders += 1
        self.client[c] = True

    @transition(k="clerks")
    def begin(self, k):
        when(not self.busy[k] and self.nr_orders > 0)
        self.order[k] = self.orders & 15
        self.orders >>= 4
        self.nr_orders -= 1
        self.busy[k] = True

    @transition(k="clerks")
    def answer(self, k):
        when(self.busy[k] and self.nr_answers < self.clerks)
        self.answers |= self.order[k] << (4 * self.nr_answers)
        self.nr_answers += 1
        self.busy[k] = False
        self.order[k] = 0

    @transition(c="clients")
    def receive(self, c):
        when(self.client[c] and self.nr_answers > 0 and self.answers & 7 == c)
        self.answers >>= 4
        self.nr_answers -= 1
        self.client[c] = False
