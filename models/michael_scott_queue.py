"""The queue of Michael and Scott: no locks, and both ends are found by following references.

A node is appended in two steps: it is linked behind the last one, and then it becomes the tail. Between these the tail
lags behind, and whoever notices helps: it moves the tail on for the other thread. To link it, a thread compares and
swaps; if it only looks first, a node that another one has linked meanwhile is lost. If the node that was taken out is
freed at once, a thread that still refers to it uses it after that. A plain queue beside it changes when an operation
takes effect; a queue that was found empty was empty at some moment of the operation. Teaches: linearizability where it
is known only later when an operation took effect, and freeing objects.
"""

# expect: atomic=True: holds, 475 states, 846 edges, 12 terminal
# expect: atomic=False: violated same_content, 101 states, 149 edges, 6 steps
# expect: frees=True: violated model-error, 316 states, 507 edges, 8 steps

from asset import Heap, Int, Model, Queue, Record, Ref, choose, invariant, process


class Node(Record):
    value: Int(0, 2)
    next: Ref("Node")


class MichaelScottQueue(Model):
    rounds: tuple = (1, 2)  # how many operations each thread does
    atomic: bool = True  # a node is linked by compare and swap
    frees: bool = False  # who takes a node out frees it, whoever may refer to it

    def state(self):
        self.heap = Heap(Node, at_most=1 + sum(self.rounds) + len(self.rounds))
        first = self.heap.new()
        self.head = first  # the node before the first one in the queue
        self.tail = first
        self.plain = Queue(sum(self.rounds), Int(0, 2))

    @process(i="len(rounds)")
    def thread(self, i):
        for _ in range(self.rounds[i]):
            if choose(True, False):
                yield from self.enqueue(i)
            else:
                yield from self.dequeue()
            yield

    def enqueue(self, value):
        node = self.heap.new(value)
        while True:
            tail = self.tail
            yield
            following = tail.next
            if not self.atomic:
                yield
            if following is None:
                tail.next = node
                self.plain.put(node.value)
                break
            if self.tail is tail:
                self.tail = following
            yield
        yield
        if self.tail is tail:
            self.tail = node

    def dequeue(self):
        while True:
            head = self.head
            yield
            tail = self.tail
            yield
            following = head.next
            was_empty = self.plain.empty()
            yield
            if self.head is not head:
                continue
            if following is None:
                assert was_empty
                break
            if head is tail:
                if self.tail is tail:
                    self.tail = following
            else:
                self.head = following
                value = self.plain.get()
                assert value == following.value
                if self.frees:
                    self.heap.free(head)
                break

    @invariant
    def same_content(self):
        node = self.head.next
        for value in self.plain:
            if node is None or node.value != value:
                return False
            node = node.next
        return node is None
