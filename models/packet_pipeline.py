"""Packets pass through a row of stages, each with a queue of its own, and come out in the order in which they came in.

Teaches: queues of records, and wide states: with stages=8 packets=8 a state has 713 bits, most of which are parts that
other states have too, so that `--store tree` keeps it in a few bytes. In the mistaken version a stage may pass on its
last packet first.
"""

# expect: PacketPipeline stages=3 packets=3: holds
# expect: PacketPipeline stages=2 packets=4: holds
# expect: Overtaking stages=3 packets=3: violated packets_keep_their_order

from asset import Array, Int, Model, Queue, Record, invariant, terminal, transition, when


class Packet(Record):
    number: Int(0, 255)
    address: Int(0, 65535)
    body: Int(0, 2**24 - 1)


class PacketPipeline(Model):
    stages: int = 3
    packets: int = 3
    capacity: int = 2

    def state(self):
        self.queue = Array(self.stages, Queue(self.capacity, Packet))
        self.sent = Int(0, self.packets)
        self.received = Int(0, self.packets)
        self.wrong = False

    @transition(kind="2")
    def send(self, kind):
        when(self.sent < self.packets and not self.queue[0].full())
        self.queue[0].put(Packet(self.sent, 65535 * kind, (2**24 - 1) * kind))
        self.sent += 1

    @transition(i="stages")
    def pass_on(self, i):
        when(i + 1 < self.stages and not self.queue[i].empty() and not self.queue[i + 1].full())
        self.queue[i + 1].put(self.queue[i].get(self.chosen(i)))

    def chosen(self, i):
        return 0

    @transition
    def receive(self):
        when(not self.queue[self.stages - 1].empty())
        packet = self.queue[self.stages - 1].get()
        self.wrong = packet.number != self.received
        self.received += 1

    @invariant
    def packets_keep_their_order(self):
        return not self.wrong

    @terminal
    def all_packets_are_received(self):
        return self.received == self.packets


class Overtaking(PacketPipeline):
    def chosen(self, i):
        return len(self.queue[i]) - 1
