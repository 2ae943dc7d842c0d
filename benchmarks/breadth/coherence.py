# A directory-based cache coherence protocol: caches share a line, or one has it alone to write.
#
# After the exercise that S. German posed. Each cache has three channels of one message: its request to the home, the
# home's grant or invalidation, and its acknowledgement. peers/coherence.pml is the same system for SPIN.

from enum import IntEnum

from asset import Array, Int, Model, invariant, transition, when


class Line(IntEnum):
    INVALID = 0
    SHARED = 1
    EXCLUSIVE = 2


class Request(IntEnum):
    NONE = 0
    SHARED = 1
    EXCLUSIVE = 2


class Answer(IntEnum):
    NONE = 0
    INVALIDATE = 1
    SHARED = 2
    EXCLUSIVE = 3


class Coherence(Model):
    n: int = 4

    def state(self):
        self.line = Array(self.n, Line.INVALID)
        self.request = Array(self.n, Request.NONE)
        self.answer = Array(self.n, Answer.NONE)
        self.acknowledged = Array(self.n, False)
        self.to_invalidate = Array(self.n, False)
        self.sharer = Array(self.n, False)
        self.exclusive = False
        self.command = Request.NONE
        self.asker = Int(0, self.n - 1)

    @transition(i="n")
    def ask_shared(self, i):
        when(self.request[i] == Request.NONE and self.line[i] == Line.INVALID)
        self.request[i] = Request.SHARED

    @transition(i="n")
    def ask_exclusive(self, i):
        when(self.request[i] == Request.NONE and self.line[i] != Line.EXCLUSIVE)
        self.request[i] = Request.EXCLUSIVE

    @transition(i="n")
    def take_request(self, i):
        when(self.command == Request.NONE and self.request[i] != Request.NONE)
        self.command = self.request[i]
        self.request[i] = Request.NONE
        self.asker = i
        for k in range(self.n):
            self.to_invalidate[k] = self.sharer[k]

    @transition(i="n")
    def invalidate(self, i):
        when(self.to_invalidate[i] and self.answer[i] == Answer.NONE)
        when(self.command == Request.EXCLUSIVE or (self.command == Request.SHARED and self.exclusive))
        self.answer[i] = Answer.INVALIDATE
        self.to_invalidate[i] = False

    @transition(i="n")
    def acknowledge(self, i):
        when(self.answer[i] == Answer.INVALIDATE and not self.acknowledged[i])
        self.answer[i] = Answer.NONE
        self.acknowledged[i] = True
        self.line[i] = Line.INVALID

    @transition(i="n")
    def take_acknowledgement(self, i):
        when(self.acknowledged[i] and self.command != Request.NONE)
        self.acknowledged[i] = False
        self.sharer[i] = False
        self.exclusive = False

    @transition
    def grant_shared(self):
        when(self.command == Request.SHARED and not self.exclusive and self.answer[self.asker] == Answer.NONE)
        self.answer[self.asker] = Answer.SHARED
        self.sharer[self.asker] = True
        self.command = Request.NONE
        self.asker = 0

    @transition
    def grant_exclusive(self):
        when(self.command == Request.EXCLUSIVE and not any(self.sharer) and self.answer[self.asker] == Answer.NONE)
        self.answer[self.asker] = Answer.EXCLUSIVE
        self.sharer[self.asker] = True
        self.exclusive = True
        self.command = Request.NONE
        self.asker = 0

    @transition(i="n")
    def get_shared(self, i):
        when(self.answer[i] == Answer.SHARED)
        self.answer[i] = Answer.NONE
        self.line[i] = Line.SHARED

    @transition(i="n")
    def get_exclusive(self, i):
        when(self.answer[i] == Answer.EXCLUSIVE)
        self.answer[i] = Answer.NONE
        self.line[i] = Line.EXCLUSIVE

    @invariant
    def one_writer_and_then_no_reader(self):
        return all(
            self.line[i] != Line.EXCLUSIVE or self.line[k] == Line.INVALID or i == k
            for i in range(self.n)
            for k in range(self.n)
        )
