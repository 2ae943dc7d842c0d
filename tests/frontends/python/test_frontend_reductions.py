"""The compiled meaning of hand-written rules and symmetries is their CPython meaning, in every reachable state."""

from __future__ import annotations

from enum import IntEnum

import pytest
from places import MODELS

from asset import Array, Int, Model, obligations, recurrent, stb, stb_all, terminates, transition, when
from asset.frontends.python import PlainPython, compile_model, load
from asset.ir.faults import Fault
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program
from asset.ir.requirements import Recurrence, Termination
from asset.ir.verify import verify

# The language is dynamic Python: state variables are declared by running state().
# mypy: ignore-errors


class Step(IntEnum):
    BACK = -1
    STAY = 0
    ON = 1


class Walkers(Model):
    """Indices of every kind, and rules that go out of bounds now and then."""

    n: int = 3

    def state(self):
        self.at = Array(self.n, Int(0, 3))
        self.turn = Int(0, self.n - 1)

    @transition(i="n")
    def walk(self, i):
        when(self.turn == i)
        self.at[i] = (self.at[i] + 1) % 4
        self.turn = (self.turn + 1) % self.n

    @transition(i="range(1, n)", step=Step)
    def shift(self, i, step):
        when(self.at[0] == 3)
        self.at[i] = max(0, self.at[i] + step) % 4

    @transition(k=(5, 2, 9))
    def odd(self, k):
        when(False)

    @transition(i="n", k="range(0, 2 * n, 2)")
    def even(self, i, k):
        when(False)

    @transition
    def reset(self):
        when(self.at[1] == 2)
        self.at[1] = 0

    @obligations(walk)
    def walk_obliges(self, i):
        stb(self.odd, 5)
        stb(self.odd, self.at[i] * 3 + 2)
        stb(self.walk, self.ahead(i))
        stb(self.reset)

    @obligations(shift)
    def shift_obliges(self, i, step):
        stb(self.shift, i, step)
        stb(self.shift, self.at[i], step + self.at[0])
        stb(self.even, i, self.at[i])
        return

    @obligations(odd)
    def odd_obliges(self, k):
        match self.at[0]:
            case 0:
                stb(self.shift)
            case 1:
                stb_all()
                stb(self.reset)
            case 2:
                for i in range(self.n):
                    stb(self.walk, i)

    @obligations(even)
    def even_obliges(self, i, k):
        stb(self.walk, i - 10 // self.at[i])

    def ahead(self, i):
        return (i + 1) % self.n

    def symmetry_representative(self):
        while self.turn != 0:
            first = self.at[0]
            for i in range(self.n - 1):
                self.at[i] = self.at[i + 1]
            self.at[self.n - 1] = first
            self.turn -= 1


class Numbers(Model):
    """The ASSET style."""

    def state(self):
        self.x = Int(0, 7)

    def nr_transitions(self):
        return 8

    def fire_transition(self, t):
        if t == self.x:
            return False
        self.x = t
        return True

    def next_stubborn(self, t):
        if t > 5:
            stb_all()
            return
        if t == 3:
            return
        stb(t + 1, self.x)
        stb(self.x * 3 - 5)

    def symmetry_representative(self):
        if self.x % 2 == 1:
            self.x -= 1


def outcome(action, *args):
    try:
        return action(*args)
    except Fault as fault:
        return fault.kind, fault.span.line


def reachable(executable):
    """A hundred states or so, breadth-first."""
    found = [executable.program.initial]
    for state in found:
        successors = [executable.fire(state, command) for command in range(executable.program.nr_commands)]
        found += [s for s in dict.fromkeys(successors) if s is not None and s not in found]
        if len(found) > 120:
            break
    return found


MODELLED = [
    Walkers(),
    Numbers(),
    load(f"{MODELS}/token_ring.py"),
    load(f"{MODELS}/token_ring_variants.py:TrackedRing"),
    load(f"{MODELS}/peterson.py:Peterson"),
    load(f"{MODELS}/lossy_channel.py:LossyChannel"),
]


@pytest.mark.parametrize("model", MODELLED, ids=lambda model: type(model).__name__)
def test_rules_and_representatives_mean_what_they_mean_in_cpython(model):
    program = compile_model(model)
    verify(program)
    compiled, plain = Interpreter(program), PlainPython(model)
    for state in reachable(compiled):
        assert outcome(compiled.representative, state) == outcome(plain.representative, state)
        for command in range(program.nr_commands):
            listed = outcome(compiled.obligations, state, command)
            assert listed == outcome(plain.obligations, state, command), program.command_name(command)


def recurrences(program: Program) -> list[Recurrence]:
    return [each for each in program.requirements if isinstance(each, Recurrence)]


def test_recurrences_and_termination_are_the_same_in_the_program_as_in_cpython():
    model = load(f"{MODELS}/lossy_channel.py:DeafSender")
    compiled, plain = compile_model(model), PlainPython(model).program
    assert compiled.requirements[-1] == Termination()
    assert [(r.name, r.again, r.then) for r in recurrences(compiled)] == [("delivered", {7}, {4})]
    assert recurrences(compiled) == recurrences(plain)
    assert list(map(type, compiled.requirements)) == list(map(type, plain.requirements))


def test_a_model_without_rules_and_symmetry_has_none_in_its_program():
    class Bare(Model):
        def state(self):
            self.x = False

        @transition
        def flip(self):
            self.x = not self.x

    program = compile_model(Bare())
    assert [family.rule for family in program.families] == [None]
    assert (program.representative, program.requirements) == (None, ())


def test_a_class_may_declare_several_recurrences_and_must_terminate():
    @terminates
    class Two(Model):
        def state(self):
            self.x = Int(0, 3)

        @transition
        def up(self):
            when(self.x < 3)
            self.x += 1

        @transition(i=2)
        def down(self, i):
            when(self.x > i)
            self.x -= 1

        never = recurrent(up)
        again = recurrent((up, down), then=down)

    program = compile_model(Two())
    assert Termination() in program.requirements
    assert {r.name: (set(r.again), set(r.then)) for r in recurrences(program)} == {
        "never": ({0}, set()),
        "again": ({0, 1, 2}, {1, 2}),
    }
