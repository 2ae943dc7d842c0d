# ruff: noqa
from asset import (
    Array,
    Heap,
    Int,
    Model,
    Record,
    Ref,
    Set,
    after,
    always,
    changes,
    invariant,
    temporal,
    transition,
    when,
)


class Node(Record):
    value: Int(0, 3)
    next: Ref("Node")


class Other(Record):
    friend: Ref("Node")


class Wrong(Model):
    def state(self):
        self.heap = Heap(Node, at_most=3)
        self.others = Heap(Other, at_most=2)
        self.head = Ref(Node)
        self.other = Ref(Other)
        self.x = Int(0, 3)

    def either(self):
        if self.x > 1:
            return self.head
        return self.x

    @transition
    def numbers(self):
        self.x = self.head
        self.x = self.head + 1
        self.head = 2
        self.head.value = self.head

    @transition
    def names(self):
        self.x = self.head.valu
        self.head.previous = None
        self.x = self.heap.size

    @transition
    def kinds(self):
        self.head = self.other
        self.other.friend = self.other
        when(self.head is self.other)
        self.others.free(self.head)
        self.heap.free(3)

    @transition
    def making(self):
        self.head = self.heap.new(1, 2)
        self.head = self.heap.new(1, value=2)
        self.head = self.heap.new(colour=2)
        self.x = 1 + self.heap.new(1).value
        node = self.either()

    @invariant
    def is_there(self):
        return self.head > 0

    @invariant
    def unchanged(self):
        self.head.value = 2
        return True

    @temporal
    def moves(self):
        return always(changes(self.head))

    @temporal
    def stays(self):
        return always(after(self.head) is self.head)
