"""Which loops are counted, and how much a round of each weighs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from agreement import Agreement, happening

from asset import Array, Int, Model, Set, transition
from asset.frontends.python.compiler import compile_model
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.interpreter import Interpreter
from asset.ir.rounds import UNKNOWN, counted_loops, functions_that_count


def _weights(model: type[Model]) -> list[int]:
    """Of the loops that are counted, by line."""
    weights: Mapping[n.Node, int] = counted_loops(compile_model(model())).weights
    loops = [(node.span.line, weight) for node, weight in weights.items() if isinstance(node, n.While | n.For)]
    return [weight for _, weight in sorted(loops)]


class _Ranges(Model):
    def state(self) -> None:
        self.x = Int(0, 9)
        self.a = Array(1_000_000, Int(0, 1))

    @transition
    def known(self) -> None:
        for i in range(1_000_000):
            self.a[i] = 1

    @transition
    def by_state(self) -> None:
        for _ in range(self.x):
            self.x = 1

    @transition
    def unknown(self) -> None:
        for _ in range(self.x * 2):
            self.x = 1


class _Nests(Model):
    def state(self) -> None:
        self.x = Int(0, 9)

    @transition
    def square(self) -> None:
        for i in range(1_000_000):
            for j in range(1_000_000):
                self.x = (i + j) % 4

    @transition
    def unknown_outside(self) -> None:
        i = 0
        while i < self.x + 5:
            for j in range(100):
                self.x = j % 4
            i += 1


class _Calls(Model):
    def state(self) -> None:
        self.x = Int(0, 9)

    def search(self) -> None:
        while self.x < 5:
            self.x += 1

    def through(self) -> None:
        self.search()

    def idle(self) -> None:
        self.x = 1

    @transition
    def go(self) -> None:
        self.through()
        self.idle()


class _Sparse(Model):
    """Everybody looks at everybody else's messages: 100 * 100 * 900 rounds, if there were as many messages."""

    def state(self) -> None:
        self.sent = Set((10, 10))
        self.row = Array(900, Int(0, 3))
        self.out = Int(0, 10**9)

    @transition(a=10)
    def send(self, a: int) -> None:
        self.sent.add((a, a % 3))

    def heard(self, a: int, b: int) -> int:
        return sum(x for x in self.row if x > a - b)

    @transition
    def compare(self) -> None:
        for a, b in self.sent:
            for c, d in self.sent:
                if a == d:
                    self.out = self.heard(b, c)

    @transition
    def add_up(self) -> None:
        self.out = sum(self.heard(a, c) for a, b in self.sent for c, d in self.sent if b == d)

    @transition
    def search(self) -> None:
        k = 0
        while k < len(self.sent):
            k += 1
            if k % 2 == 0:
                self.out = sum(self.heard(a, k) for a, _ in self.sent)


def test_a_loop_whose_rounds_are_known_and_few_enough_is_not_counted() -> None:
    (unknown,) = _weights(_Ranges)
    assert unknown < 20 * UNKNOWN


def test_in_a_loop_that_is_counted_other_loops_are_counted_too() -> None:
    outer, inner, search, short = _weights(_Nests)
    assert outer < 20 * UNKNOWN
    assert inner < 20 * UNKNOWN
    assert search < 20 * UNKNOWN
    assert short < 20 * UNKNOWN


def test_what_is_counted_is_what_is_done_and_not_what_could_be_done() -> None:
    program = compile_model(_Sparse())
    interpreter, state = Interpreter(program), program.initial
    for sent in range(4):
        state = interpreter.fire(state, sent) or state
    for command in range(10, 13):
        assert interpreter.fire(state, command)


def test_engines_agree_on_when_it_is_too_much(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSET_CACHE_DIR", str(tmp_path))  # with another limit it is another code
    for module in ("ir.rounds", "ir.evaluation", "codegen.expressions"):
        monkeypatch.setattr(f"asset.{module}.KNOWN_LIMIT", 40_000)
    agreement = Agreement(_Sparse(), anywhere=True)
    state, kinds = agreement.program.initial, set()
    for sent in range(10):
        for command in range(10, 13):
            agreement.fire(state, command)
            kinds.add((command, happening(agreement.reference, state, command)[1] is FaultKind.LOOP))
        state = agreement.fire(state, sent) or state
    assert kinds == {(command, much) for command in range(10, 13) for much in (False, True)}


def test_the_fault_says_whether_the_rounds_are_known() -> None:
    counted = counted_loops(compile_model(_Nests()))
    messages = {node.span.line: counted.message(node)[:24] for node in counted.weights}
    assert set(messages.values()) == {"the loop does not end: i"}
    counted = counted_loops(compile_model(_Sparse()))
    assert any(counted.message(node).startswith("the loop takes too long: ") for node in counted.weights)


def test_functions_count_if_they_call_one_that_does() -> None:
    program = compile_model(_Calls())
    counting = functions_that_count(program, counted_loops(program))
    assert {program.functions[k].name.rpartition(".")[2] for k in counting} == {"search", "through", "go"}


def test_loops_are_found_once_for_all_interpreters_of_a_program() -> None:
    program = compile_model(_Ranges())
    assert counted_loops(program) is counted_loops(program)
    assert counted_loops(replace(program, functions=())).weights == {}
