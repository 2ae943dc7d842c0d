"""Random processes that meet at synchronous channels, and what CPython's own generators make of them.

The oracle runs two generators one after the other, with channels that hand over what is sent: a joint step is what both
do then. It knows nothing of how steps are taken apart and put together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from asset.ir.program import State
from asset.model import Disabled, Model, Process, cells_of, in_state
from asset.model.transitions import _firing

HEAD = """\
from asset import Array, Int, Model, choose, process, when
from asset.channels import Synchronous


class Random(Model):
    n: int = 2

    def state(self):
        self.x = Int(0, 3)
        self.flag = False
        self.a = Array(2, Int(0, 2))
        self.c = Synchronous()
        self.d = Synchronous(2)

    def ask(self, k):
        self.c.send(k)
        yield
        self.x = self.c.receive()

"""


class Writer:
    def __init__(self, random: Random) -> None:
        self.random = random

    def text(self) -> str:
        first = ["u = 1", *self.block(2), "yield", *self.block(1)]
        second = ["i, u = 1, 0", *self.block(2), 'yield "there"', *self.block(2)]
        parts = [
            '    @process(i="n")\n    def first(self, i):',
            *_indented(first, 8),
            "\n    @process\n    def second(self):",
        ]
        return HEAD + "\n".join([*parts, *_indented(second, 8)]) + "\n"

    def block(self, depth: int) -> list[str]:
        return [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        r = self.random
        kind = r.randrange(10 if depth else 6)
        if kind < 4:
            return [*(["yield"] if r.random() < 0.7 else []), *self.meeting(), "yield"]
        if kind < 6:
            return self.simple()
        if kind == 6:
            return [f"for k{depth} in range(2):", *_indented([*self.block(depth - 1), "yield"])]
        if kind == 7:
            cases = [
                line
                for k in range(3)
                for line in (f"case {k}:" if k < 2 else "case _:", *_indented(self.block(depth - 1)))
            ]
            return ["match choose(range(3)):", *_indented(cases)]
        test = r.choice((self.condition(), "choose(True, False)"))
        other = ["else:", *_indented(self.block(depth - 1))] if r.random() < 0.7 else []
        return [f"if {test}:", *_indented(self.block(depth - 1)), *other]

    def meeting(self) -> list[str]:
        r = self.random
        d = f"self.d[{r.choice(('0', '1', 'i', 'self.x % 2'))}]"
        value = f"({self.value()}) % 3"
        sends = ([f"self.c.send({value})"], [f"{d}.send(({value}, self.x))"], ["yield from self.ask(u)"])
        receives = (
            ["self.x = self.c.receive()"],
            ["u: Int(0, 3) = self.c.receive()"],
            ["self.c.receive()"],
            [f"self.a[i], self.x = {d}.receive()"],
            ["m = self.c.receive()", "when(m == 1)"],
        )
        return r.choice(r.choice((sends, receives)))

    def simple(self) -> list[str]:
        r = self.random
        return [
            r.choice(
                (
                    "yield",
                    'yield "there"',
                    f"self.x = ({self.value()}) % 4",
                    f"self.a[i] = ({self.value()}) % 3",
                    "self.flag = not self.flag",
                    f"u = ({self.value()}) % 3",
                    f"when({self.condition()})",
                    "return",
                )
            )
        ]

    def value(self) -> str:
        return self.random.choice(("1", "2", "i", "u", "self.x", "self.a[i]", "u + 1", "choose(0, 2)"))

    def condition(self) -> str:
        r = self.random
        return f"{r.choice(('u', 'self.x', 'self.a[0]'))} {r.choice(('==', '<', '>='))} {r.choice('012')}"


def _indented(lines: list[str], by: int = 4) -> list[str]:
    return [" " * by + line for line in lines]


# --- the oracle -------------------------------------------------------------------------------------------------------


@dataclass
class Line:
    """A channel that hands over a message: what was sent, or is to be received."""

    met: list[tuple[str, Any]]
    offered: tuple[str, Any] | None
    name: str = "c"

    def __getitem__(self, index: int) -> Line:
        assert index in (0, 1)
        return Line(self.met, self.offered, f"d{index}")

    def send(self, message: Any) -> None:
        self.met.append((self.name, message))

    def receive(self) -> Any:
        if self.offered is None or self.offered[0] != self.name:
            raise Disabled
        self.met.append(("received", None))
        return self.offered[1]


@dataclass(frozen=True)
class Made:
    """What a process has done in a step: the shared state before and after it, what it chose and what it sent."""

    before: State
    after: State
    decisions: tuple[int, ...]
    sent: tuple[str, Any] | None
    offered: tuple[str, Any] | None
    finished: bool


@dataclass
class Run:
    """One process; `shared` cells are those that modellers declare."""

    model: Model
    process: Process
    indices: tuple[int, ...]
    shared: int
    history: list[Made] = field(default_factory=list)

    @property
    def name(self) -> tuple[str, tuple[int, ...]]:
        return self.process.name, self.indices

    def steps(self, state: State, offered: tuple[str, Any] | None = None) -> Iterator[Made]:
        """All that it can do next; with an offer, only what takes it."""
        if self.history and self.history[-1].finished:
            return
        decisions: list[int] = []
        while True:
            made, sizes = self._attempt(state, decisions, offered)
            if made is not None:
                yield made
            decisions = [*decisions, *[0] * (len(sizes) - len(decisions))][: len(sizes)]
            while decisions and decisions[-1] + 1 == sizes[len(decisions) - 1]:
                decisions.pop()
            if not decisions:
                return
            decisions[-1] += 1

    def _attempt(
        self, state: State, decisions: list[int], offered: tuple[str, Any] | None
    ) -> tuple[Made | None, list[int]]:
        model = in_state(self.model, cells_of(self.model))
        generator = self.process.function(model, *self.indices)
        for each in self.history:
            self._advance(generator, model, each.before, list(each.decisions), each.offered)
        sizes: list[int] = []
        try:
            finished, met, chosen = self._advance(generator, model, state, decisions, offered, sizes)
        except Disabled:
            return None, sizes
        if (offered is None) != (("received", None) not in met):
            return None, sizes
        sent = next((each for each in met if each[0] != "received"), None)
        after = cells_of(model)[: self.shared]
        return Made(state, after, tuple(chosen), sent, offered, finished), sizes

    def _advance(
        self,
        generator: Any,
        model: Model,
        state: State,
        decisions: list[int],
        offered: tuple[str, Any] | None,
        sizes: list[int] | None = None,
    ) -> tuple[bool, list[tuple[str, Any]], list[int]]:
        chosen: list[int] = []
        met: list[tuple[str, Any]] = []

        def choose(*alternatives: Any) -> Any:
            values = alternatives if len(alternatives) > 1 else tuple(alternatives[0])
            at = len(chosen)
            chosen.append(decisions[at] if at < len(decisions) else 0)
            if sizes is not None:
                sizes.append(len(values))
            return values[chosen[at]]

        model._restore((*state, *cells_of(model)[self.shared :]))
        model.__dict__["_synchronous"] = {"c": Line(met, offered), "d": Line(met, offered)}
        token = _firing.set(model)
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setitem(generator.gi_frame.f_globals, "choose", choose)
                next(generator)
            return False, met, chosen
        except StopIteration:
            return True, met, chosen
        finally:
            _firing.reset(token)
