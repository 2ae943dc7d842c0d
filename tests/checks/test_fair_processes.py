"""`--fair` is about processes: which there are decides what is assumed of runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from asset import Array, Int, Model, always, check, choose, eventually, process, temporal, transition
from asset.verdict import Answer


class Links(Model):
    def state(self) -> None:
        self.up: Any = Array(2, Array(2, False))
        self.value: Any = Int(0, 2)

    @process(i=2, j=2)
    def link(self, i: int, j: int) -> Iterator[None]:
        while True:
            self.up[i][j] = not self.up[i][j]
            yield

    @process
    def world(self) -> Iterator[None]:
        while True:
            self.value = choose(0, 1, 2)
            yield

    @temporal
    def each_link_moves(self) -> Any:
        return always(eventually(self.up[0][0]))

    @temporal
    def everything_is_chosen(self) -> Any:
        return always(eventually(self.value == 2))


class Sharing(Model):
    """All three index the same array."""

    def state(self) -> None:
        self.box: Any = Array(1, Int(0, 1))
        self.served: Any = Array(1, False)

    @process(i=1)
    def client(self, i: int) -> Iterator[None]:
        while True:
            self.box[i] = 1 - self.box[i]
            yield

    @process(i=1)
    def server(self, i: int) -> Iterator[None]:
        while True:
            if self.box[i] <= 1:
                self.served[i] = not self.served[i]
            yield

    @transition(i=1)
    def reset(self, i: int) -> None:
        self.box[i] = 0

    @temporal
    def serves(self) -> Any:
        return always(eventually(self.served[0]))

    @temporal
    def fills(self) -> Any:
        return always(eventually(self.box[0] == 1))


class Choosing(Model):
    def state(self) -> None:
        self.last: Any = Int(0, 2)

    @transition
    def go(self) -> None:
        value = choose(1, 2)
        self.last = value

    @temporal
    def two(self) -> Any:
        return always(eventually(self.last == 2))


def answers(model: Model, engine: str) -> dict[str, Answer]:
    return {each.name: each.answer for each in check(model, fair="weak", keep_going=True, engine=engine).checked}


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_each_instance_is_a_process_and_what_it_chooses_is_not(engine: str) -> None:
    assert answers(Links(), engine) == {"each_link_moves": Answer.HOLDS, "everything_is_chosen": Answer.VIOLATED}
    assert answers(Choosing(), engine) == {"two": Answer.VIOLATED}


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_processes_stay_apart_though_they_index_the_same_array(engine: str) -> None:
    assert answers(Sharing(), engine) == {"serves": Answer.HOLDS, "fills": Answer.HOLDS}


def test_processes_that_were_recognised_are_named() -> None:
    caveats = {each.code: each.message for each in check(Sharing(), fair="weak").caveats}
    assert "recognised among the transitions: box[0];" in caveats["recognised-processes"]
    assert "recognised-processes" not in {each.code for each in check(Links(), fair="weak", keep_going=True).caveats}
