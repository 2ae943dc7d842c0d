"""An iteration as a count over a range, with the element derived from the counter; or all its items at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asset.frontends.python.ir_expressions import NumberBounds, constant
from asset.frontends.python.values import Value
from asset.ir import nodes as n
from asset.ir.rounds import rounds_of
from asset.span import Span

Element = Callable[[n.Expr], Value]
NO_ORDER = "Python does not say in which order the elements of a set come"


@dataclass(frozen=True)
class Traversal:
    """`for counter in range(start, stop, step)`: `element(counter)` is the element of that round.

    If `counts` is true, the counter is the element itself.
    """

    name: str
    start: n.Expr
    stop: n.Expr
    step: n.Expr
    element: Element
    counts: bool = False
    test: Callable[[n.Expr], n.Expr] | None = None
    """Whether the round of a counter takes place; if there is no test, it does."""
    guards: Callable[[n.Expr, Span], None] | None = None
    """Emits a check that there are as many elements as at first; otherwise the round is a model error."""
    most: int | None = None
    """The most rounds that there can be, if `stop` does not say it."""
    snapshot: bool = False
    """Whether Python goes over the elements as they were at first: they must not change meanwhile."""
    has_order: bool = True
    """Whether Python says in which order the elements come."""

    @property
    def _range(self) -> range | None:
        """The counter's values, if they are known now."""
        start, stop, step = (constant(bound) for bound in (self.start, self.stop, self.step))
        return range(start, stop, step) if start is not None and stop is not None and step else None

    @property
    def length(self) -> int | None:
        """How many rounds there are, if it is known now."""
        values = self._range
        return None if values is None or self.test is not None else rounds_of(values)

    @property
    def most_rounds(self) -> int | None:
        """The most rounds that there can be, if that is known now."""
        values = self._range
        return self.most if values is None else rounds_of(values)

    @property
    def bounds(self) -> NumberBounds | None:
        """The counter's smallest and largest value, if they are known now."""
        values = self._range
        return (min(values[0], values[-1]), max(values[0], values[-1])) if values else None


def counted(span: Span, name: str, length: int, element: Element) -> Traversal:
    """`length` rounds, counted from 0."""
    return Traversal(name, n.Const(span, 0), n.Const(span, length), n.Const(span, 1), element)


@dataclass(frozen=True)
class Spread:
    """The items for which there is room, of which the first `length` ones are there."""

    length: n.Expr
    items: tuple[Value, ...]
