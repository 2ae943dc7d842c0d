"""The compiled meaning is the CPython meaning: compared in every reachable state of small models."""

from __future__ import annotations

from enum import IntEnum

import pytest

from asset import Array, Bits, Int, Model, invariant, terminal, transition, when
from asset.frontends.python import PlainPython, compile_model
from asset.ir.faults import Fault, FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Invariant, Terminal
from asset.ir.verify import verify
from asset.model import cells_of

# The language is dynamic Python: state variables are declared by running state().
# mypy: ignore-errors


class Colour(IntEnum):
    RED = 1
    GREEN = 4
    BLUE = 7


TABLE = ((1, 2), (3, 4), (5, 6))
NEIGHBOURS = ((1, 2), (0,), ())
PAIRS = ((0, 1), (2, 1))


def clamp(value, lo=0, hi=7):
    return min(max(value, lo), hi)


class Base(Model):
    n: int = 3
    simple: bool = True
    weights: tuple[int, ...] = (2, 1, 3)
    LIMIT = 4

    def state(self):
        self.x = Int(-4, 7)
        self.a = Array(self.n, Int(0, 2))
        self.g = Array(2, Array(self.n, False))

    def bump(self, i, by=1):
        self.a[i] = (self.a[i] + by) % 3
        return self.a[i]

    @transition(i="n")
    def rise(self, i):
        when(self.a[i] < 2)
        self.a[i] += 1


class Assignments(Base):
    """Order of evaluation, tuples, augmented assignment."""

    @transition(i="n", j="range(1, n)")
    def swap(self, i, j):
        when(i != j)
        self.a[i], self.a[j] = self.a[j], self.a[i]

    @transition
    def augmented(self):
        self.a[self.bump(0) % self.n] += -1 if self.a[self.bump(1) % self.n] else 0
        a, b = 1, 2
        a, b = b, a + b
        self.x = c = b - a
        c *= 2
        self.x -= c

    @transition
    def fixed_rows(self):
        k = 0
        row = self.g[k]
        k = 1
        row[k] = not row[k]
        pair = (self.x, k)
        self.x = 3
        self.x = pair[0] + pair[1] - 1

    @transition
    def fixed_iteration(self):
        when(self.x in range(0, 2))
        for value in self.g[self.x]:
            self.x = 1 - self.x if value else self.x


class Expressions(Base):
    @transition
    def chains(self):
        when(self.bump(0) < self.bump(1) <= self.bump(2) or 0 <= self.x + 1 < 5 != 7)
        self.x = (clamp(self.x + 1, hi=self.LIMIT) and self.a[0]) or -1

    @transition
    def membership(self):
        when(self.x in self.a or self.x not in (1, self.a[0], -2) or self.bump(1) in (0, 2))
        self.x = (self.x in range(2)) + (2 in self.a) * 2 - (self.bump(0) in range(1, 4))

    @transition
    def arithmetic(self):
        self.x = (-(self.x // 3) + (self.x % -3) + (self.x >> 1) + (~self.x & 5) ^ 2) % 12 - 4

    @transition
    def folds(self):
        total = sum(w * v for w, v in zip(self.weights, self.a, strict=True)) + sum(self.a, 1)
        high = max((i * j for i in range(3) for j in range(i) if i != 1), default=9)
        low = min(min(row) for row in self.g)
        self.x = (total + high - low + any((self.x, 0)) + all(self.g[0]) + max(self.a[0], 1, self.x)) % 8

    @transition
    def arrays(self):
        when(self.g[0] == self.g[1] or self.a != self.a)
        self.g[self.a[0] % 2][self.a[1]] ^= True


class Generators(Base):
    """What is iterated over is fixed when the iteration begins, whatever the elements do."""

    def flip(self, value):
        self.x = 1 - self.x
        return value

    @transition
    def rows(self):
        when(self.x in (0, 1))
        self.a[0] = any(self.flip(value) for value in self.g[self.x])
        self.a[1] = sum(1 for k in range(self.x + 1) for v in self.g[k % 2] if v or self.flip(k)) % 3

    @transition(i="n")
    def turn(self, i):
        self.g[1][i] = not self.g[1][i]


class Control(Base):
    @transition
    def loops(self):
        k = 10
        while True:
            k -= 1
            if self.a[k % self.n] == k % 4:
                continue
            if k <= 0 or self.bump(k % self.n) < 2:
                break
        for i, v in enumerate(self.a, 1):
            if v == 2:
                break
            self.x = i
        for j in reversed(range(1, 3)):
            self.g[1][j] = self.g[0][j - 1] = not self.g[1][j]

    @transition(c=Colour)
    def matches(self, c):
        match c:
            case Colour.RED | Colour.GREEN if self.x > 0:
                self.x = -1
            case Colour.BLUE:
                self.x = 2
            case other if other > 2:
                self.x = other
            case _:
                when(False)
        match self.x, self.g[0][0]:
            case 2, True:
                self.g[0][0] = False
            case (-1 | 4) as y, _:
                self.g[0][0] = y > 0

    @transition
    def dead_branches(self):
        if self.simple:
            self.x = 1
        else:
            self.x = [v for v in self.a if v][0]  # noqa: RUF015
        self.x = 2 if self.simple else {}

    @transition
    def leaves_early(self):
        when(self.search(2) < 2)
        self.x = self.search(2)

    def search(self, wanted):
        for i in range(self.n):
            if self.a[i] == wanted:
                return i
        return -1


class Tables(Base):
    @transition(k=range(0, 6, 2))
    def look_up(self, k):
        d = 0
        for i in range(self.n):
            for j in NEIGHBOURS[i]:
                d += TABLE[j][i % 2] + TABLE[-1][self.a[0] % 2] - k
        for p, q in PAIRS:
            d = d * 2 + p - q
        u, v = TABLE[d % 3]
        self.x = (u - v + d) % 12 - 4

    @transition
    def from_the_end(self):
        self.x = self.weights[self.x - 2] + len(NEIGHBOURS[self.a[0]])

    @transition
    def ragged(self):
        self.x = NEIGHBOURS[self.a[0]][self.a[1]]

    @transition
    def ragged_with_effects(self):
        self.x = NEIGHBOURS[self.a[0]][self.bump(1) - 1]

    @transition
    def converts(self):
        self.x = Colour(self.x + 2) - 1

    @transition
    def steps(self):
        for c in Colour:
            if c in (self.x, 4):
                self.x = c - 1


class Helpers(Base):
    def total(self, row):
        count = 0
        for value in row:
            count += value
        return count

    @property
    def spread(self):
        return max(self.a) - min(self.a)

    @staticmethod
    def twice(k):
        return 2 * k

    @classmethod
    def limit(cls):
        return cls.LIMIT

    def rise_unless(self, flag):
        when(not flag)
        self.x = 0

    @transition
    def calls(self):
        i = self.a[0] % 2
        self.x = self.total(self.g[i]) + self.total(self.a) - self.twice(k=self.spread) + self.limit() // 3

    @transition(i="n")
    def rise(self, i):
        super().rise(i)
        self.rise_unless(self.g[0][i])
        self.g[0][i] = self.total(self.weights) > i

    @staticmethod
    def both(pair):
        row, value = pair
        return row[1] + value

    @transition
    def passes_a_row_in_a_tuple(self):
        self.x = self.both((TABLE[self.a[0]], self.a[1])) - 3

    @transition
    def out_of_bounds(self):
        self.x = self.total(self.g[self.a[2]])


class Faults(Base):
    @transition
    def asserts(self):
        assert self.x < 2, f"x is {self.x}, not {1 + 1}"
        self.x += 1

    @transition(i="n + 1")
    def raises(self, i):
        if self.a[i] == 2:
            raise ValueError(f"a[{i}]")

    @transition
    def divides(self):
        self.x = 4 // self.x

    @transition
    def empties(self):
        self.x = min(k for k in range(self.x))

    @invariant
    def shifts(self):
        return 1 << (self.x + 1) >= 0

    @terminal
    def never(self):
        return self.x + len(self.a) > 0


class Numbered(Model):
    """The ASSET style."""

    n: int = 2

    def nr_transitions(self):
        self.pc = Array(self.n, Bits(2))
        self.lock = False
        return 2 * self.n

    def fire_transition(self, t):
        i = t % self.n
        if t >= self.n:
            return self.leave(i)
        if self.pc[i] or self.lock:
            return False
        self.pc[i] = 1
        self.lock = True
        return True

    def leave(self, i):
        if self.pc[i] != 1:
            return False
        self.pc[i] = 2
        self.lock = self.pc[0] == 2 and i == 1
        return True

    def check_state(self):
        if all(v == 1 for v in self.pc):
            return "both inside"
        return self.worse() or ("late" if self.pc[1] == 2 else None)

    def worse(self):
        if self.pc[0] == 2 and self.lock:
            return "still locked"
        return None

    def check_deadlock(self):
        return None if self.pc[0] == 2 else "someone is left"

    def is_may_progress(self):
        return self.pc[0] == 2


MODELS = [Assignments, Expressions, Generators, Control, Tables, Helpers, Faults, Numbered]


def compiled(cls: type[Model]) -> Program:
    program = compile_model(cls())
    verify(program)
    return program


def outcome(run, *args):
    try:
        return run(*args)
    except Fault as fault:
        return fault.kind, fault.message.split(":")[0] if fault.kind is FaultKind.RAISE else "", fault.span.line


@pytest.mark.parametrize("cls", MODELS, ids=lambda cls: cls.__name__)
def test_compiled_code_does_what_cpython_does(cls: type[Model]) -> None:
    program = compiled(cls)
    interpreter, plain = Interpreter(program), PlainPython(cls())
    seen, frontier = {program.initial}, [program.initial]
    while frontier and len(seen) < 400:
        state = frontier.pop()
        for command in range(program.nr_commands):
            after = outcome(interpreter.fire, state, command)
            assert after == outcome(plain.fire, state, command), (program.command_name(command), state)
            if is_state(after, program) and after not in seen:
                seen.add(after)
                frontier.append(after)
        for predicate in program.predicates:
            assert outcome(interpreter.evaluate, predicate, state) == outcome(plain.evaluate, predicate, state)
    assert len(seen) > 5


def is_state(after: object, program: Program) -> bool:
    return isinstance(after, tuple) and not isinstance(after[0], FaultKind) and len(after) == len(program.initial)


@pytest.mark.parametrize("kind", [FaultKind.ASSERTION, FaultKind.RAISE, FaultKind.INDEX, FaultKind.DIVISION])
def test_each_kind_of_fault_is_met(kind: FaultKind) -> None:
    assert kind in {fault.kind for fault in faults(compiled(Faults))}


def faults(program: Program) -> list[Fault]:
    interpreter, found = Interpreter(program), []
    states: list[State] = [program.initial, (0, 2, 2, 2, *program.initial[4:]), (2, *program.initial[1:])]
    for state in states:
        for command in range(program.nr_commands):
            try:
                interpreter.fire(state, command)
            except Fault as fault:
                found.append(fault)
    return found


def test_a_failed_assert_says_its_message() -> None:
    messages = {fault.message for fault in faults(compiled(Faults))}
    assert "x is 2, not 2" in messages
    assert "ValueError: a[0]" in messages


def test_commands_are_named_and_numbered_as_the_models_transitions() -> None:
    program = compiled(Assignments)
    names = [program.command_name(command) for command in range(program.nr_commands)]
    assert names == [str(fired) for fired in Assignments().transitions()]


def test_a_program_begins_in_the_initial_state_even_if_the_object_has_moved_on() -> None:
    model = Assignments()
    model.rise(0)
    assert compile_model(model).initial == cells_of(Assignments())


def test_checks_give_their_texts_in_the_asset_style() -> None:
    program = compiled(Numbered)
    safety = next(each.predicate for each in program.requirements if isinstance(each, Invariant))
    deadlock = next(each.predicate for each in program.requirements if isinstance(each, Terminal))
    interpreter = Interpreter(program)
    assert safety.messages == ("both inside", "still locked", "late")
    assert interpreter.evaluate(safety, (1, 1, 1)) == "both inside"
    assert interpreter.evaluate(safety, (2, 1, 1)) == "still locked"
    assert interpreter.evaluate(safety, (0, 0, 0)) is None
    assert interpreter.evaluate(deadlock, (0, 0, 0)) == "someone is left"


def test_a_helper_is_compiled_once_for_each_kind_of_argument() -> None:
    names = [function.name for function in compiled(Helpers).functions]
    assert names.count("total") == 3  # rows of g, a, and the constant weights


class Far(IntEnum):
    HERE = 0
    THERE = 2**62


class Distant(Model):
    def state(self):
        self.at = Far.HERE

    @transition(k=(0, 1, 2**62))
    def go(self, k):
        when(self.at == Far.HERE)
        self.at = Far(self.at + k)


def test_numbers_far_apart_are_not_listed() -> None:
    program = compiled(Distant)
    code = Interpreter(program)
    start = program.initial
    assert [outcome(code.fire, start, command) for command in (0, 2)] == [start, (2**62,)]
    with pytest.raises(Fault):
        code.fire(start, 1)
