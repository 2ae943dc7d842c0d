"""Never claims: a process that takes a step before each step of the others, and must not come to its end.

As in SPIN, the model and its claim are one system: a command is a move of the claim, then a step of a process. If no
process can go on, the claim moves alone, as if the last state were repeated for ever.
"""

from __future__ import annotations

from collections.abc import Iterator

from asset.errors import ModelRejected
from asset.frontends.promela.code import Slots, all_of, any_of, equal, is_true
from asset.frontends.promela.control import Control, Element, Shape, Step
from asset.frontends.promela.evaluating import Frame
from asset.frontends.promela.layout import Kind
from asset.frontends.promela.stepping import Stepping
from asset.ir import nodes as n
from asset.ir.program import Function
from asset.span import Span

LONGEST_MOVE = 50
"""Steps of an atomic sequence of a claim."""

Move = tuple[Step, ...]
"""A step of a claim, and those that follow it in an atomic sequence."""


class Claim:
    def __init__(self, kind: Kind, stepping: Stepping, functions: list[Function]) -> None:
        self.kind = kind
        self._stepping = stepping
        self._functions = functions
        self._moves = {place: list(_moves(kind.control, place)) for place in kind.control.places}
        self.ways = max((len(moves) for moves in self._moves.values()), default=1)
        self._function: int | None = None

    def move(self, span: Span, choice: n.Expr) -> n.Stmt:
        """The claim moves; nothing is enabled if it cannot."""
        if self._function is None:
            self._function = self._moving()
        return n.Evaluate(span, n.Call(span, self._function, (choice,)))

    def _moving(self) -> int:
        slots, span = Slots(["choice"]), self.kind.process.span
        frame = Frame(self.kind, n.Const(span, 0), slots)
        cases: list[n.Case] = []
        for place, moves in self._moves.items():
            if place.shape is Shape.END:
                continue
            here = self._stepping.here(self.kind, place, frame.pid, span)
            for k, move in enumerate(moves):
                code: list[n.Stmt] = []
                for step in move:
                    test = self._test(step, frame)
                    code += [] if is_true(test) else [n.When(step.element.span, test)]
                    code += self._stepping.taken(self.kind, step, frame)
                cases.append(n.Case(span, all_of(span, (here, equal(span, n.Local(span, 0), k))), tuple(code)))
        nothing = n.When(span, n.Const(span, 0))
        body = (n.If(span, tuple(cases), (nothing,)),)
        self._functions.append(Function("the claim moves", 1, tuple(slots.names), body, span))
        return len(self._functions) - 1

    def _test(self, step: Step, frame: Frame) -> n.Expr:
        steps = next(steps for steps in self.kind.control.steps.values() if step in steps)
        besides, alone = self._stepping.tests(self.kind, steps, frame)[steps.index(step)]
        return all_of(step.element.span, (besides, alone))

    def completing(self, frame: Frame) -> n.Expr:
        """Whether the claim can come to its end now."""
        span, found = self.kind.process.span, list[n.Expr]()
        for place, moves in self._moves.items():
            here = self._stepping.here(self.kind, place, frame.pid, span)
            for move in moves:
                if move[-1].target is None or move[-1].target.shape is not Shape.END:
                    continue
                found.append(all_of(span, (here, *(self._test(step, frame) for step in move))))
        return any_of(span, found)


def _moves(control: Control, place: Element) -> Iterator[Move]:
    pending: list[Move] = [(step,) for step in reversed(control.steps[place]) if step.target is not None]
    while pending:
        move = pending.pop()
        last = move[-1]
        if not last.atomic or last.target is None or last.target.shape is Shape.END:
            yield move
        elif len(move) == LONGEST_MOVE:
            said = f"an atomic sequence of a claim has more than {LONGEST_MOVE} steps"
            raise ModelRejected.of(said, last.element.span, "leave out atomic, or the loop in it")
        else:
            pending += [(*move, step) for step in reversed(control.steps[last.target]) if step.target is not None]
