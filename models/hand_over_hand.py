"""A sorted list with a lock in every node: a thread locks the next node before it lets go of the one before it.

Whoever changes a link holds the locks of both its ends, so threads work in different parts of the list at the same
time. If the lock behind is let go of too early, another thread comes between, and what it inserted is lost. A plain set
beside the list changes when an operation takes effect, with the same answer and the same content: so the operations are
linearizable. Teaches: references as local variables of processes; objects are gone when nothing refers to them.
"""

# expect: threads=2: holds, 87 states, 124 edges, 4 terminal
# expect: threads=2 hasty=True: violated same_content, 179 states, 251 edges, 7 steps

from asset import Heap, Int, Model, Record, Ref, Set, choose, invariant, process, terminal, when


class Node(Record):
    key: int
    next: Ref("Node")
    locked: bool


class HandOverHand(Model):
    threads: int = 2
    keys: int = 2
    hasty: bool = False  # lets go of a node before it has locked the next one

    def state(self):
        self.heap = Heap(Node(key=Int(-1, self.keys - 1)), at_most=2 + self.keys + self.threads)
        self.head = self.heap.new(key=-1, next=self.heap.new(key=0))
        self.members = Set(self.keys, {0})

    @process(i="threads")
    def thread(self, i):
        insert = choose(True, False)
        key = choose(range(self.keys))
        before = self.head
        when(not before.locked)
        before.locked = True
        yield
        node = before.next
        while node is not None and node.key < key:
            if self.hasty:
                before.locked = False
                yield
            when(not node.locked)
            node.locked = True
            before.locked = False
            before = node
            yield
            node = before.next
        if node is not None:
            when(not node.locked)
            node.locked = True
            yield
        found = node is not None and node.key == key
        assert found == (key in self.members)
        if insert and not found:
            before.next = self.heap.new(key=key, next=node)
            self.members.add(key)
        elif not insert and found:
            before.next = node.next
            self.members.remove(key)
        before.locked = False
        if node is not None:
            node.locked = False

    @invariant
    def same_content(self):
        node = self.head.next
        for key in self.members:
            if node is None or node.key != key:
                return False
            node = node.next
        return node is None

    @terminal
    def all_have_finished(self):
        return all(self.at(self.thread, i, "finished") for i in range(self.threads))
