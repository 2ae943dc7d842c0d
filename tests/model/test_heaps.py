"""Heaps and references as plain Python objects, and what is said of a model that uses them wrongly."""

from __future__ import annotations

import pytest

from asset import Array, Dangling, Full, Heap, Int, Model, Queue, Record, Ref, check, initial, process, transition, when
from asset.checks.rendering import values
from asset.frontends.python import compile_model
from asset.model import cells_of

# The language is dynamic Python: state variables are declared by running state().
# mypy: ignore-errors


class Node(Record):
    value: Int(0, 3)
    next: Ref("Node")

    def last(self):
        return self.next is None


class Lists(Model):
    def state(self):
        self.heap = Heap(Node, at_most=3)
        self.head = self.heap.new(1, self.heap.new(2))
        self.hand = Array(2, Ref(Node))
        self.mail = Queue(2, Ref(Node))

    @transition(i=2)
    def take(self, i):
        when(self.head is not None)
        self.hand[i] = self.head
        self.head = self.head.next

    @transition(i=2)
    def put(self, i):
        when(self.hand[i] is not None)
        self.hand[i].next = self.head
        self.head = self.hand[i]
        self.hand[i] = None

    @transition
    def push(self):
        self.head = self.heap.new(value=3, next=self.head)

    @transition(i=2)
    def free(self, i):
        self.heap.free(self.hand[i])

    @transition
    def send(self):
        self.mail.put(self.head)

    @transition
    def look(self):
        assert self.head.value < 3


def test_is_and_equality_compare_objects() -> None:
    model = Lists()
    assert model.head is model.head and model.head == model.head and model.head is not model.head.next
    assert model.take(0) and model.hand[0].next is model.head and model.hand[1] is None
    assert model.head.last() and not model.hand[0].last()


def test_what_nobody_refers_to_is_gone() -> None:
    model = Lists()
    assert len(model.heap) == 2 and model.take(0) and len(model.heap) == 2
    assert model.take(0)
    assert len(model.heap) == 1 and model.head is None and model.hand[0].value == 2


def test_a_state_does_not_know_how_it_came_about() -> None:
    one, other = Lists(), Lists()
    assert one.take(0) and one.take(1) and one.put(1) and one.put(0)
    assert one == other and cells_of(one) == cells_of(other)


def test_one_object_too_many_is_an_error_that_changes_nothing() -> None:
    model = Lists()
    assert model.push()
    before = cells_of(model)
    with pytest.raises(Full, match="it holds 3"):
        model.push()
    assert cells_of(model) == before


def test_an_object_that_was_freed_can_be_compared_but_not_used() -> None:
    model = Lists()
    assert model.send() and model.take(0) and model.free(0)
    assert model.hand[0] is model.mail.peek() and len(model.heap) == 2
    with pytest.raises(Dangling):
        assert model.hand[0].value
    with pytest.raises(Dangling):
        model.free(0)


def test_a_reference_belongs_to_one_state() -> None:
    model = Lists()
    head = model.head
    assert model.take(0)
    with pytest.raises(TypeError, match="earlier state"):
        assert head.value


def test_states_are_as_many_as_stacks_of_so_many_values() -> None:
    class Stack(Model):
        def state(self):
            self.heap = Heap(Node, at_most=3)
            self.top = Ref(Node)

        @transition(v=2)
        def push(self, v):
            when(not self.heap.full())
            self.top = self.heap.new(v, self.top)

        @transition
        def pop(self):
            when(self.top is not None)
            self.top = self.top.next

    verdict = check(Stack(), engine="reference")
    assert verdict.states == 1 + 2 + 4 + 8 and verdict.edges == 2 * (1 + 2 + 4) + (2 + 4 + 8)


def test_initial_states_are_numbered_and_heaps_begin_as_declared() -> None:
    class Begins(Model):
        def state(self):
            self.heap = Heap(Node, at_most=2)
            self.x = Int(0, 2)
            first = self.heap.new(1)
            self.head = self.heap.new(2, first)

        @initial
        def some(self):
            return self.x > 0

        @transition
        def step(self):
            self.head = self.head.next

    states = Begins().initial_states()
    assert [state.x for state in states] == [1, 2]
    assert all(state.head.value == 2 and state.head.next.value == 1 for state in states)


def test_a_local_variable_called_at_is_not_the_program_counter() -> None:
    class Counts(Model):
        def state(self):
            self.x = Int(0, 5)

        @process
        def walker(self):
            at = 3
            yield
            self.x = at
            yield
            at = 2
            yield
            self.x = at

    model = Counts()
    assert all(model.walker() for _ in range(4)) and not model.walker() and model.x == 2
    assert check(model, engine="reference").states == 5


def shown(model):
    return values(compile_model(model), cells_of(model))


def test_lists_are_shown_as_a_reader_follows_them() -> None:
    model = Lists()
    assert shown(model) == {"heap": "2 of 3 objects", "head": "1 ▸ 2 ▸ None", "hand": [None, None], "mail": []}
    assert model.send() and model.take(0)
    assert shown(model) == {
        "heap": "2 of 3 objects",
        "head": "2 ▸ None",
        "hand": ["1 ▸ head", None],
        "mail": ["hand[0]"],
    }
    assert model.free(0)
    assert shown(model)["hand"] == ["freed", None]


def test_objects_that_are_no_lists_are_shown_with_their_parts() -> None:
    class Knot(Record):
        left: Ref("Knot")
        right: Ref("Knot")

    class Knots(Model):
        def state(self):
            self.heap = Heap(Knot, at_most=2)
            self.top = self.heap.new()

        @transition
        def tie(self):
            self.top.left = self.heap.new(right=self.top)

    model = Knots()
    assert model.tie()
    assert shown(model)["top"] == {"left": {"left": None, "right": "top"}, "right": None}
