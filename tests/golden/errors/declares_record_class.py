# ruff: noqa
from enum import Enum, IntEnum

from asset import Array, Int, Map, Model, Queue, Record, invariant, process, transition, when


class Mail(Record):
    sender: int
    read: bool = False


class Post(Model):
    def state(self):
        self.box = Queue(2, Mail)

    @transition
    def step(self):
        self.box.get()
