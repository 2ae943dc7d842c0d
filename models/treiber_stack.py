"""Treiber's stack without locks, and the ABA error: a thread is interrupted between reading the top and replacing it.

To pop, a thread reads the top node and the one below it, and makes the latter the top if the former still is. If nodes
are used again, the same node may be the top although others came and went meanwhile: then a node that is no longer in
the stack becomes its top. A version number that is compared as well repairs it, and so does garbage collection: a node
is not used again while somebody refers to it. A plain stack beside it changes whenever an operation takes effect, and
always has the same content: so the operations are linearizable. Teaches: heaps and references.
"""

# expect: recycle=True: violated same_content, 371 states, 584 edges, 8 steps
# expect: tagged=True: holds, 507 states, 926 edges, 13 terminal
# expect: recycle=False: holds, 358 states, 669 edges, 8 terminal

from asset import Heap, Int, Model, Queue, Record, Ref, choose, invariant, process


class Node(Record):
    value: Int(0, 2)
    below: Ref("Node")


class TreiberStack(Model):
    rounds: tuple = (1, 3)  # how many operations each thread does
    recycle: bool = True  # a thread keeps a node that it popped for its next push
    tagged: bool = False  # the top has a version, which is compared too

    def state(self):
        self.heap = Heap(Node, at_most=2 + sum(self.rounds))
        self.top = self.heap.new(1, self.heap.new(2))
        self.version = Int(0, sum(self.rounds) if self.tagged else 0)
        self.plain = Queue(2 + sum(self.rounds), Int(0, 2))  # the stack as it should be; its last item is the top
        self.plain = [2, 1]

    def replaced(self, old, version, new):
        """Compare and swap: whether the top was the old one, and is the new one now."""
        if self.top is not old or self.version != version:
            return False
        self.top = new
        if self.tagged:
            self.version += 1
        return True

    @process(i="len(rounds)")
    def thread(self, i):
        spare: Ref(Node) = None
        for _ in range(self.rounds[i]):
            if choose(True, False):  # push or pop
                yield from self.push(spare)
                spare = None
            else:
                popped = yield from self.pop()
                if self.recycle and spare is None:
                    spare = popped
            yield

    def push(self, spare):
        node = spare
        if node is None:
            node = self.heap.new()
        done = False
        while not done:
            top, version = self.top, self.version
            node.below = top
            yield
            done = self.replaced(top, version, node)
        self.plain.put(node.value)

    def pop(self):
        while True:
            top, version = self.top, self.version
            if top is None:
                assert self.plain.empty()
                return None
            below = top.below
            yield
            if self.replaced(top, version, below):
                value = self.plain.get(len(self.plain) - 1)
                assert value == top.value
                return top

    @invariant
    def same_content(self):
        node = self.top
        for k in range(len(self.plain)):
            last = len(self.plain) - 1 - k
            if node is None or node.value != self.plain[last]:
                return False
            node = node.below
        return node is None
