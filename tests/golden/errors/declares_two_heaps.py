# ruff: noqa
from asset import Heap, Int, Model, Optional, Record, Ref, Set, transition


class Node(Record):
    value: Int(0, 3)
    next: Ref("Node")


class Declares(Model):
    def state(self):
        self.one = Heap(Node, at_most=2)
        self.two = Heap(Node, at_most=2)
