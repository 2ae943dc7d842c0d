"""A sorted linked list in a heap: insertion, deletion and a search; compared with a set."""

from asset import Heap, Int, Model, Optional, Record, Ref, Set, invariant, transition, when


class Node(Record):
    value: Int(0, 3)
    next: Ref("Node")


class SortedList(Model):
    def state(self):
        self.heap = Heap(Node, at_most=4)
        self.head = Ref(Node)
        self.model = Set(4)
        self.found = Optional(bool)

    def before(self, v):
        """The last node with a smaller value; None if there is none."""
        last, node = None, self.head
        while node is not None and node.value < v:
            last, node = node, node.next
        return last

    def after(self, v):
        last = self.before(v)
        return self.head if last is None else last.next

    @transition(v=4)
    def insert(self, v):
        node = self.after(v)
        when(node is None or node.value != v)
        new = self.heap.new(v, node)
        last = self.before(v)
        if last is None:
            self.head = new
        else:
            last.next = new
        self.model.add(v)

    @transition(v=4)
    def delete(self, v):
        node = self.after(v)
        when(node is not None and node.value == v)
        last = self.before(v)
        if last is None:
            self.head = node.next
        else:
            last.next = node.next
        self.model.remove(v)

    @transition(v=4)
    def search(self, v):
        node = self.after(v)
        self.found = node is not None and node.value == v

    def values(self):
        xs, node = [], self.head
        for _ in range(4):
            if node is not None:
                xs.append(node.value)
                node = node.next
        return xs

    @invariant
    def same(self):
        return set(self.values()) == self.model

    @invariant
    def in_order(self):
        xs = self.values()
        return xs == sorted(xs) and len(xs) == len(self.model)
