"""The state types as plain Python objects: each behaves as Python's own, within its bounds."""

from __future__ import annotations

import json
from collections import Counter
from enum import IntEnum
from math import comb, factorial

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from places import MODELS

from asset import (
    Array,
    Bag,
    Empty,
    Full,
    Int,
    Map,
    Model,
    ModelRejected,
    Optional,
    OutOfRange,
    Queue,
    Record,
    Set,
    check,
    transition,
    when,
)
from asset.channels import Lossy
from asset.checks.rendering import values
from asset.checks.shown_states import changes
from asset.frontends.python import compile_model, load
from asset.ir.interpreter import Interpreter
from asset.model import cells_of

# The language is dynamic Python: state variables are declared by running state().
# mypy: ignore-errors


class Colour(IntEnum):
    RED = 1
    GREEN = 2
    BLUE = 5


class Message(Record):
    colour: Colour = Colour.RED
    to: Int(0, 2)


class Letter(Record):
    to: int


class Post(Model):
    def state(self):
        self.queue = Queue(2, Message)
        self.desks = Array(2, Message(Colour.GREEN, Int(0, 5, 3)))
        self.here = Set(Colour)
        self.bag = Bag((2, bool), 2)
        self.map = Map(range(1, 3), Message)
        self.owner = Optional(Message)
        self.pair = (Int(0, 2), True)
        self.desks[1].to = 4

    @transition
    def work(self):
        when(not self.queue.full())
        self.queue.put(Message(to=2))
        self.desks[0] = Message(Colour.BLUE, 1)
        self.here.add(Colour.BLUE)
        self.bag.add((1, True))
        self.map[2] = self.desks[0]
        self.owner = self.queue.peek()
        self.pair = (2, False)


ITEMS = st.integers(-1, 4)


class Like(RuleBasedStateMachine):
    """Does the same with ours and with Python's; both raise, or both give the same."""

    def both(self, ours, theirs):
        results = []
        for action in (ours, theirs):
            try:
                results.append(("value", action()))
            except (KeyError, IndexError, Empty) as error:
                results.append(("error", KeyError if isinstance(error, KeyError) else IndexError))
        assert results[0] == results[1]


class LikeSet(Like):
    def __init__(self):
        super().__init__()
        self.ours, self.theirs = Set(4), set()

    @rule(x=st.integers(0, 3))
    def add(self, x):
        self.both(lambda: self.ours.add(x), lambda: self.theirs.add(x))

    @rule(x=ITEMS)
    def remove(self, x):
        self.both(lambda: self.ours.remove(x), lambda: self.theirs.remove(x))

    @rule(x=ITEMS)
    def discard(self, x):
        self.both(lambda: self.ours.discard(x), lambda: self.theirs.discard(x))

    @rule(other=st.sets(st.integers(0, 3)))
    def combine(self, other):
        ours = Set(4, other)
        for operator in ("__or__", "__and__", "__sub__", "__xor__"):
            assert set(getattr(self.ours, operator)(ours)) == getattr(self.theirs, operator)(other)
        for comparison in ("__le__", "__lt__", "__ge__", "__gt__", "__eq__", "isdisjoint", "issubset", "issuperset"):
            assert getattr(self.ours, comparison)(ours) == getattr(self.theirs, comparison)(other)
        self.ours ^= ours
        self.theirs ^= other

    @invariant()
    def alike(self):
        assert list(self.ours) == sorted(self.theirs) and len(self.ours) == len(self.theirs)
        assert bool(self.ours) == bool(self.theirs)
        assert all((x in self.ours) == (x in self.theirs) for x in range(-1, 6))


class LikeQueue(Like):
    def __init__(self):
        super().__init__()
        self.ours, self.theirs = Queue(3, Int(-1, 4)), []

    @rule(x=ITEMS)
    def put(self, x):
        if len(self.theirs) == 3:
            with pytest.raises(Full):
                self.ours.put(x)
            return
        self.ours.put(x)
        self.theirs.append(x)

    @rule(k=st.integers(0, 3))
    def get(self, k):
        self.both(lambda: self.ours.get(k), lambda: self.theirs.pop(k))

    @rule()
    def peek(self):
        self.both(self.ours.peek, lambda: self.theirs[0])

    @rule()
    def clear(self):
        self.both(self.ours.clear, self.theirs.clear)

    @invariant()
    def alike(self):
        assert list(self.ours) == self.theirs and len(self.ours) == len(self.theirs)
        assert self.ours.empty() == (not self.theirs) and self.ours.full() == (len(self.theirs) == 3)
        assert all((x in self.ours) == (x in self.theirs) for x in range(-1, 6))


class LikeBag(Like):
    def __init__(self):
        super().__init__()
        self.ours, self.theirs = Bag(4, 2), Counter()

    @rule(x=st.integers(0, 3))
    def add(self, x):
        if self.theirs[x] == 2:
            with pytest.raises(Full):
                self.ours.add(x)
            return
        self.ours.add(x)
        self.theirs[x] += 1

    @rule(x=ITEMS)
    def remove(self, x):
        if not self.theirs[x]:
            with pytest.raises(KeyError):
                self.ours.remove(x)
        self.ours.discard(x)
        self.theirs[x] -= self.theirs[x] > 0

    @invariant()
    def alike(self):
        assert all(self.ours.count(x) == self.theirs[x] for x in range(-1, 6))
        assert len(self.ours) == self.theirs.total() and list(self.ours) == sorted(+self.theirs)


class LikeMap(Like):
    def __init__(self):
        super().__init__()
        self.ours, self.theirs = Map(4, Int(0, 9)), {}

    @rule(k=st.integers(0, 3), x=st.integers(0, 9))
    def assign(self, k, x):
        self.ours[k] = self.theirs[k] = x

    @rule(k=ITEMS)
    def delete(self, k):
        self.both(lambda: self.ours.__delitem__(k), lambda: self.theirs.__delitem__(k))

    @rule(k=ITEMS)
    def look_up(self, k):
        self.both(lambda: self.ours[k], lambda: self.theirs[k])
        assert self.ours.get(k, 3) == self.theirs.get(k, 3)

    @invariant()
    def alike(self):
        assert {k: self.ours[k] for k in self.ours} == self.theirs and len(self.ours) == len(self.theirs)


@pytest.mark.parametrize("machine", [LikeSet, LikeQueue, LikeBag, LikeMap])
def test_a_type_does_what_pythons_own_does(machine):
    run_state_machine_as_test(machine, settings=settings(max_examples=30, stateful_step_count=25, deadline=None))


@pytest.mark.parametrize("n", range(1, 9))
def test_a_queue_keeps_the_order_of_those_who_wait_and_a_set_does_not(n):
    arrangements = sum(comb(n, i) * factorial(i) for i in range(1, n + 1))
    for kind, states in (("SetDispatcher", 2**n), ("QueueDispatcher", 1 + arrangements)):
        assert check(load(f"{MODELS / 'dispatcher.py'}:{kind}", {"n": str(n)})).states == states


# --- values and places ----------------------------------------------------------------------------------------------


def test_records_in_the_state_can_be_changed_through_a_name():
    m = Post()
    desk = m.desks[1]
    desk.to = 5
    assert m.desks[1].to == 5


def test_what_is_read_from_a_queue_or_an_optional_is_a_value_that_does_not_change():
    m = Post()
    m.work()
    item, owner = m.queue.peek(), m.owner
    m.queue.clear()
    m.owner = None
    assert item == owner == Message(to=2)
    with pytest.raises(TypeError, match="does not change"):
        item.to = 1
    with pytest.raises(TypeError, match="does not change"):
        Message(to=2).to = 1


def test_assigning_a_compound_value_copies_it():
    m = Post()
    m.desks[0] = Message(Colour.BLUE, 1)
    m.map[1] = Message(to=0)
    m.map[2] = m.map[1]
    m.map[1].to = 2
    assert m.map[2].to == 0


def test_unused_cells_are_blank_so_that_equal_values_have_equal_cells():
    m, fresh = Post(), Post()
    for _ in range(2):
        m.queue.put(Message(Colour.BLUE, 2))
    m.queue.get(1)
    m.queue.get()
    m.map[2] = Message(Colour.GREEN, 2)
    del m.map[2]
    m.owner = Message(to=2)
    m.owner = None
    assert cells_of(m) == cells_of(fresh)


def test_a_record_says_what_it_lacks():
    with pytest.raises(TypeError, match="Message needs its to"):
        type("Message", (Record,), {"__annotations__": {"to": int}})()
    with pytest.raises(TypeError, match="unexpected keyword argument 'from_'"):
        Message(from_=2)
    with pytest.raises(AttributeError, match="Message has no part 'tu'; it has: colour, to"):
        Post().desks[0].tu = 1


def test_bounds_are_checked_and_nothing_is_changed():
    m = Post()
    with pytest.raises(OutOfRange, match=r"queue\.items\[0\]\.to = 7 is out of range"):
        m.queue.put(Message(to=7))
    with pytest.raises(OutOfRange, match="3 is out of range: here takes Colour"):
        m.here.add(3)
    with pytest.raises(OutOfRange, match=r"\(2, True\) is out of range: bag takes \(0\.\.1, bool\)"):
        m.bag.add((2, True))
    with pytest.raises(OutOfRange):
        m.map[0] = Message(to=1)
    with pytest.raises(KeyError, match="1 is not in map"):
        _ = m.map[1]
    with pytest.raises(TypeError, match="pair takes a tuple of 2 values"):
        m.pair = (1, False, 3)
    with pytest.raises(Empty, match="queue is empty"):
        m.queue.get()
    assert m == Post()


def test_a_set_over_another_domain_is_rejected():
    with pytest.raises(TypeError, match=r"different domains: 0\.\.2 and 0\.\.3"):
        _ = Set(3) | Set(4)


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: Queue(0, False), "the capacity of a Queue must be an integer of at least 1"),
        (lambda: Queue(2, 3), "a Queue's item is an int without a range"),
        (lambda: Set(0), "a Set needs a finite domain, not 0"),
        (lambda: Set([1, 2]), "a Set needs a finite domain"),
        (lambda: Bag(3, 0), "a Bag takes each value at least once"),
        (lambda: Map(range(0, 9, 2), False), "a Map needs a finite domain"),
        (lambda: Array(2, Model), "an Array's item is the class Model"),
        (lambda: Queue(2, Letter), "a Queue's item is the class Letter: Letter needs its to"),
        (lambda: Queue(2, Letter(3)), "Letter.to is an int without a range"),
        (lambda: type("Hidden", (Record,), {"__annotations__": {"_to": int}}), "cannot be called _to"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_rejected(declare, message):
    with pytest.raises(ModelRejected, match=message):
        declare()


# --- how states are shown -------------------------------------------------------------------------------------------


def test_a_state_is_shown_as_it_was_declared():
    m = Post()
    m.work()
    assert repr(m) == (
        "<Post() queue=[Message(colour=RED, to=2)], desks=[Message(colour=BLUE, to=1), Message(colour=GREEN, to=4)], "
        "here={BLUE}, bag={(1, True): 1}, map={2: Message(colour=BLUE, to=1)}, "
        "owner=Message(colour=RED, to=2), pair=(2, False)>"
    )


def test_a_state_in_json_has_names_and_structure():
    m = Post()
    m.work()
    assert json.loads(json.dumps(values(compile_model(m), cells_of(m)))) == {
        "queue": [{"colour": "RED", "to": 2}],
        "desks": [{"colour": "BLUE", "to": 1}, {"colour": "GREEN", "to": 4}],
        "here": ["BLUE"],
        "bag": {"(1, True)": 1},
        "map": {"2": {"colour": "BLUE", "to": 1}},
        "owner": {"colour": "RED", "to": 2},
        "pair": [2, False],
    }


def test_of_a_step_only_what_changed_is_shown():
    program = compile_model(Post())
    after = Interpreter(program).fire(program.initial, 0)
    told = {change.cell for change in changes(program, program.initial, after)}
    assert told == {"queue", "desks[0].colour", "desks[0].to", "here", "bag", "map[2]", "owner", "pair"}


def test_a_wide_variable_is_folded_in_a_report_and_whole_in_json():
    class Wide(Model):
        def state(self):
            self.rows = Array(40, Message)
            self.x = Int(0, 1)

        @transition
        def fail(self):
            assert self.x == 1

    verdict = check(Wide())
    assert "⋮ 29 more lines; --json FILE writes them all" in str(verdict)
    assert len(verdict.to_dict()["counterexample"]["steps"][0]["state"]["rows"]) == 40


# --- channels -------------------------------------------------------------------------------------------------------


def test_a_channel_blocks_where_it_is_full_or_empty():
    class Wire(Model):
        def state(self):
            self.wire = Lossy(Queue(1, Message))

        @transition
        def send(self):
            self.wire.send(Message(to=1))

        @transition
        def receive(self):
            message = self.wire.receive()
            assert message == Message(to=1)

        @transition
        def lose(self):
            self.wire.lose(0)

    m = Wire()
    assert [m.receive(), m.lose(), m.send(), m.send(), m.receive(), m.send(), m.lose()] == [
        *[False, False, True, False],
        *[True, True, True],
    ]
    verdict = check(Wire())
    assert (verdict.holds, verdict.states, verdict.edges) == (True, 2, 3)


def test_putting_into_a_full_queue_is_a_model_error_with_its_line():
    class Careless(Model):
        def state(self):
            self.queue = Queue(1, False)

        @transition
        def put(self):
            self.queue.put(True)

    for engine in ("native", "reference"):
        verdict = check(Careless(), engine=engine)
        assert verdict.violation.kind == "model-error"
        assert verdict.violation.message == "Full: queue is full: it holds 1"
        assert "self.queue.put(True)" in verdict.violation.span.source_line
        assert len(verdict.counterexample) == 2
