"""An iteration as a count over a range, with the element derived from the counter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asset.frontends.python.values import Value, constant
from asset.ir import nodes as n
from asset.span import Span

Element = Callable[[n.Expr], Value]


@dataclass(frozen=True)
class Sweep:
    """`for counter in range(start, stop, step)`: `element(counter)` is the element of that round.

    Where `counts` is true, the counter is the element itself.
    """

    name: str
    start: n.Expr
    stop: n.Expr
    step: n.Expr
    element: Element
    counts: bool = False
    test: Callable[[n.Expr], n.Expr] | None = None
    """Whether the round of a counter takes place; where there is no test, it does."""
    guards: Callable[[n.Expr, Span], None] | None = None
    """Emits what makes a round that has fewer or more elements than there were at first a model error."""

    @property
    def length(self) -> int | None:
        """How many rounds there are, where it is known now."""
        known = [constant(bound) for bound in (self.start, self.stop, self.step)]
        if None in known or known[2] == 0 or self.test is not None:
            return None
        return len(range(*(bound for bound in known if bound is not None)))

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The counter's smallest and largest value, where they are known now."""
        known = [constant(bound) for bound in (self.start, self.stop, self.step)]
        if None in known or known[2] == 0:
            return None
        values = range(*(bound for bound in known if bound is not None))
        return (min(values[0], values[-1]), max(values[0], values[-1])) if values else None


def counted(span: Span, name: str, length: int, element: Element) -> Sweep:
    return Sweep(name, n.Const(span, 0), n.Const(span, length), n.Const(span, 1), element)
