"""`trace` and `notrace`: which messages may be sent and received, in which order.

A trace is an automaton that takes a step at each send on the channels that its sends name, and at each receive from
those that its receives name. It is an error if it cannot; of a notrace, if it comes to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asset.errors import ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import Slots, all_of, any_of, equal, guarded, plus
from asset.frontends.promela.control import Shape, Step
from asset.frontends.promela.evaluating import Evaluating, Frame
from asset.frontends.promela.layout import Block, Kind
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Function
from asset.span import Span


class Tracing:
    def __init__(self, kind: Kind, evaluating: Evaluating, functions: list[Function]) -> None:
        self.kind = kind
        self._evaluating = evaluating
        self._functions = functions
        self._negated = kind.process.name == "notrace"
        for step in self._steps():
            if step.element.shape is not Shape.END and not isinstance(step.statement, s.Event):
                said = f"a {kind.process.name} has sends and receives only"
                raise ModelRejected.of(said, step.element.span, "leave this out")
        self._handlers: dict[bool, int] = {}

    def _steps(self) -> Iterator[Step]:
        return (step for steps in self.kind.control.steps.values() for step in steps)

    def _events(self, sends: bool) -> list[s.Event]:
        found = (step.statement for step in self._steps())
        return [each for each in found if isinstance(each, s.Event) and each.sends == sends]

    def event(
        self, at: Span, block: Block, indices: Sequence[n.Expr], message: Sequence[n.Expr], sends: bool
    ) -> list[n.Stmt]:
        """A message of the channel is sent, or received."""
        blocks = {b.base for each in self._events(sends) for b in self._evaluating.candidates(each.channel)}
        if block.base not in blocks:
            return []
        channel: n.Expr = plus(indices[0], block.base) if indices else n.Const(at, block.base)
        room = self._most_fields()
        fields = [*message, *[n.Const(at, 0)] * (room - len(message))]
        return [n.Evaluate(at, n.Call(at, self._handler(sends), (channel, *fields)))]

    def _most_fields(self) -> int:
        named = {b.base: b for event in self._all_events() for b in self._evaluating.candidates(event.channel)}
        return max((len(block.fields) for block in named.values()), default=0)

    def _all_events(self) -> list[s.Event]:
        return [*self._events(True), *self._events(False)]

    def _handler(self, sends: bool) -> int:
        """The function that takes the step, given the number of the channel and the fields of the message."""
        if sends not in self._handlers:
            span, fields = self.kind.process.span, self._most_fields()
            slots = Slots(["channel", *(f"field{k}" for k in range(fields))])
            frame = Frame(self.kind, n.Const(span, 0), slots)
            named = [self._same_channel(each, frame) for each in self._events(sends)]
            wrong = [self._end()] if self._negated else [_fail(span, "this is not the next event of the trace")]
            cases = tuple(self._cases(sends, frame))
            taken: list[n.Stmt] = [n.If(span, cases, tuple(wrong))] if cases else list[n.Stmt](wrong)
            body = guarded(span, any_of(span, named), taken)
            name = "sent" if sends else "received"
            self._functions.append(Function(name, fields + 1, tuple(slots.names), tuple(body), span))
            self._handlers[sends] = len(self._functions) - 1
        return self._handlers[sends]

    def _cases(self, sends: bool, frame: Frame) -> Iterator[n.Case]:
        for place, steps in self.kind.control.steps.items():
            here = equal(place.span, self._evaluating.place(self.kind, frame.pid, place.span), place.number)
            for step in steps:
                event = step.statement
                if not isinstance(event, s.Event) or event.sends != sends or step.target is None:
                    continue
                goal = step.target.number
                body: list[n.Stmt] = [n.SetState(event.span, self.kind.place, (), n.Const(event.span, goal))]
                if self._negated and step.target.shape is Shape.END:
                    body = [_fail(event.span, "the events of the notrace have happened")]
                tests = (here, self._same_channel(event, frame), *self._same_message(event, frame))
                yield n.Case(event.span, all_of(event.span, tests), tuple(body))

    def _same_channel(self, event: s.Event, frame: Frame) -> n.Expr:
        wanted = self._evaluating.value(event.channel, frame).code
        return n.Binary(event.span, n.BinaryOp.EQ, n.Local(event.span, 0), wanted)

    def _same_message(self, event: s.Event, frame: Frame) -> Iterator[n.Expr]:
        for k, argument in enumerate(event.arguments):
            if argument.value is not None and (argument.matched or event.sends):
                wanted = self._evaluating.value(argument.value, frame).code
                yield n.Binary(argument.span, n.BinaryOp.EQ, n.Local(argument.span, k + 1), wanted)

    def _end(self) -> n.Stmt:
        """What a notrace does not follow is over: only the first try counts."""
        span = self.kind.process.span
        end = next((p.number for p in self.kind.control.places if p.shape is Shape.END), 0)
        return n.SetState(span, self.kind.place, (), n.Const(span, end))

    def over(self, span: Span) -> n.Expr:
        """Whether it may end here."""
        at = self._evaluating.place(self.kind, n.Const(span, 0), span)
        return any_of(span, [equal(span, at, place.number) for place in self.kind.control.ends])


def _fail(span: Span, said: str) -> n.Stmt:
    return n.Fail(span, FaultKind.ASSERTION, (said,))
