"""Which loops are counted, and how much a round of each weighs."""

from __future__ import annotations

from collections.abc import Mapping

from asset import Array, Int, Model, transition
from asset.frontends.python.compiler import compile_model
from asset.ir import nodes as n
from asset.ir.faults import LOOP_LIMIT
from asset.ir.rounds import counted_loops, functions_that_count


def _weights(model: type[Model]) -> list[int]:
    """Of the loops that are counted, by line."""
    counted: Mapping[n.Node, int] = counted_loops(compile_model(model()))
    return [weight for _, weight in sorted((loop.span.line, weight) for loop, weight in counted.items())]


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


def test_a_loop_whose_rounds_are_known_and_few_enough_is_not_counted() -> None:
    (unknown,) = _weights(_Ranges)
    assert unknown < 20


def test_in_a_loop_that_is_counted_long_loops_are_counted_too_and_short_ones_weigh() -> None:
    outer, inner, search = _weights(_Nests)
    assert outer < 20
    assert inner < 20
    assert 500 < search < 2_000 < LOOP_LIMIT


def test_functions_count_if_they_call_one_that_does() -> None:
    program = compile_model(_Calls())
    counting = functions_that_count(program, counted_loops(program))
    assert {program.functions[k].name.rpartition(".")[2] for k in counting} == {"search", "through", "go"}
