"""`xr c` and `xs c`: that no other process receives from the channel, or sends to it, as long as this one is there.

SPIN relies on it for its reduction, and looks at it while it searches. Here it is an error of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import Slots, all_of, any_of, equal, guarded, is_false, negated
from asset.frontends.promela.evaluating import Evaluating, Frame
from asset.frontends.promela.layout import Kind
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Function
from asset.span import Span

Claims = Mapping[str, Sequence[tuple[str, s.Reference]]]
"""By proctype: `xr` or `xs`, and the channel."""


@dataclass(slots=True)
class ExclusiveUse:
    evaluating: Evaluating
    functions: list[Function]
    claims: Claims
    _known: dict[s.Reference, int] = field(default_factory=dict)

    def respected(self, e: s.Send | s.Receive, frame: Frame) -> list[n.Stmt]:
        """An error if another process claims the channel that the process sends to, or receives from."""
        word = "xs" if isinstance(e, s.Send) else "xr"
        code: list[n.Stmt] = []
        channel = self.evaluating.value(e.channel, frame).code
        for kind, claimed in self._claimed(word, e.channel, frame):
            call = n.Call(e.span, self._elsewhere(kind, claimed), (frame.pid, channel))
            said = f"{word} {claimed.declaration.name} of {kind.name} claims this channel for another process"
            code += guarded(e.span, call, [n.Fail(e.span, FaultKind.RAISE, (said,))])
        return code

    def _claimed(self, word: str, channel: s.Reference, frame: Frame) -> Iterator[tuple[Kind, s.Reference]]:
        """Claims of such channels by other processes than this one."""
        here = set(self.evaluating.candidates(channel))
        for name, claims in self.claims.items():
            kind = self.evaluating.kinds.get(name)
            if kind is None or (kind is frame.kind and kind.single):
                continue
            for claim, reference in claims:
                if claim == word and here & set(self.evaluating.candidates(reference)):
                    yield kind, reference

    def _elsewhere(self, kind: Kind, claimed: s.Reference) -> int:
        """The function that says whether another process than the given one claims the given channel."""
        if claimed not in self._known:
            slots, span = Slots(["pid", "channel"]), claimed.span
            tests = [self._by(kind, pid, claimed, slots) for pid in kind.pids]
            body = (n.Return(span, any_of(span, [test for test in tests if not is_false(test)])),)
            self.functions.append(Function(f"claimed by {kind.name}", 2, tuple(slots.names), body, span))
            self._known[claimed] = len(self.functions) - 1
        return self._known[claimed]

    def _by(self, kind: Kind, pid: int, claimed: s.Reference, slots: Slots) -> n.Expr:
        span: Span = claimed.span
        other = Frame(kind, n.Const(span, pid), slots)
        same = n.Binary(span, n.BinaryOp.EQ, self.evaluating.value(claimed, other).code, n.Local(span, 1))
        tests = [negated(equal(span, n.Local(span, 0), pid)), same]
        if claimed.declaration in self.evaluating.fixed or claimed.declaration.owner is None:
            tests.append(negated(equal(span, self.evaluating.place(kind, other.pid, span), 0)))
        return all_of(span, tests)  # a variable of a process that is not there names no channel
