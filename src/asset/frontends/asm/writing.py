"""The statements that updates become: what writes a location, keeps it for later rules, or compares it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from asset.frontends.asm import code as c
from asset.frontends.asm.firing import Record, allowed
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.storage import CellUpdate, Stored
from asset.frontends.asm.updates import Site
from asset.frontends.asm.values import SequenceValue, UndefValue, Value, defined
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.span import Span


@dataclass(frozen=True, slots=True)
class UpdateWriter:
    """Writes updates. `sites` grows while rules are read; `rivals` are the sites that may conflict."""

    writer: c.Writer
    sites: Sequence[Site]
    rivals: Mapping[int, tuple[int, ...]]

    def write(
        self, stored: Stored, args: tuple[Value, ...], value: Value, cells: Sequence[CellUpdate], span: Span
    ) -> None:
        """Writes these cells of a location; a value that the function does not take is out of range."""
        self._reject_elsewhere(stored, args, span)
        self._reject_fractions(stored, value, span)
        self._reject_below(stored, value, span)
        self._reject_outside(stored, value, span)
        for cell in cells:
            self.writer.update(n.SetState(span, cell.variable, cell.indices, cell.value))
        if stored.function.allowed is not None and not isinstance(value, UndefValue):
            fits = c.disjunction(
                span, (c.negation(span, defined(value, span)), allowed(stored.function, args, value, span))
            )
            if c.known(fits) != 1:
                name = stored.function.name
                text = f"the value of {name} is not one that its finiteness constraint allows for these arguments"
                outside = (n.Fail(span, FaultKind.RANGE, (text,)),)
                self.writer.branch(span, c.negation(span, fits), outside)

    def _reject_elsewhere(self, stored: Stored, args: tuple[Value, ...], span: Span) -> None:
        elsewhere = stored.misses(args, span)
        if c.known(elsewhere) != 0:
            text = f"{stored.function.name} is updated where it has no location: an argument is not in its domain"
            self.writer.branch(span, elsewhere, (n.Fail(span, FaultKind.INDEX, (text,)),))

    def _reject_outside(self, stored: Stored, value: Value, span: Span) -> None:
        outside, name = stored.outside(value, span), stored.function.name
        undefined = isinstance(value, SequenceValue)  # whether its items are in range is seen when they are stored
        text = f"an element of {name} is {'undef' if undefined else 'out of range'}"
        if c.known(outside) == 1:
            raise Rejected(text, span, "leave it out" if undefined else "make the domain of them larger")
        self.writer.branch(span, outside, (n.Fail(span, FaultKind.RANGE, (text,)),))

    def _reject_fractions(self, stored: Stored, value: Value, span: Span) -> None:
        """A number that cannot be counted in what those of the function are counted in."""
        test = stored.is_too_fine(value, span)
        if c.known(test) != 0:
            text = f"{stored.function.name} gets a fraction that it does not take"
            self.writer.branch(span, test, (n.Fail(span, FaultKind.RANGE, (text,)),))

    def _reject_below(self, stored: Stored, value: Value, span: Span) -> None:
        """The number just below those that a function takes stands for `undef` in its cell."""
        for low, test in stored.below(value, span):
            if c.known(test) != 0:
                text = f"{stored.function.name} = {low} is out of range"
                self.writer.branch(span, test, (n.Fail(span, FaultKind.RANGE, (text,)),))

    def recorded(self, cell: CellUpdate, certain: bool, span: Span) -> Record:
        """The update, kept in locals for the rules that come after it in a sequence."""
        done = c.const(span, 1) if certain else self.flagged(span)
        indices = tuple(self.kept(index, span) for index in cell.indices)
        return Record(done, CellUpdate(cell.variable, indices, self.kept(cell.value, span)))

    def flagged(self, span: Span) -> n.Expr:
        """Whether a step came here."""
        flag = self.writer.cleared(span, "done")
        self.writer.update(n.SetLocal(span, flag, c.const(span, 1)))
        return n.Local(span, flag)

    def kept(self, value: n.Expr, span: Span) -> n.Expr:
        """The value, in a local that has one on every way."""
        if isinstance(value, n.Const):
            return value
        slot = self.writer.cleared(span, "kept")
        self.writer.update(n.SetLocal(span, slot, value))
        return n.Local(span, slot)

    def compare_records(self, record: Record, site: int, other: Record, again: Sequence[Record]) -> None:
        """A conflict, if both updated one cell and gave it different values, and none of the others did so again."""
        cell, span = record.cell, self.sites[site].span
        both = (record.done, other.hits(cell.variable, cell.indices, span))
        differs = c.binary(span, n.BinaryOp.NE, cell.value, other.cell.value)
        hidden = c.disjunction(span, (each.hits(cell.variable, cell.indices, span) for each in again))
        self._conflict(site, c.conjunction(span, (*both, differs, c.negation(span, hidden))))

    def compare(self, site: int, cell: CellUpdate, done: n.Expr) -> None:
        """A conflict, if the cell has another value than this update gave it."""
        span = self.sites[site].span
        now = n.Read(span, cell.variable, cell.indices)
        self._conflict(site, c.conjunction(span, (done, c.binary(span, n.BinaryOp.NE, now, cell.value))))

    def _conflict(self, site: int, differs: n.Expr) -> None:
        here, span = self.sites[site], self.sites[site].span
        # Rivals are those of the lowering before, which may have had more sites; the last one has the same.
        others = [self.sites[other] for other in self.rivals.get(site, ()) if other < len(self.sites)]
        places = sorted({f"{other.rule} in line {other.span.line}" for other in others})
        text = f"conflict: {here.rule} and another update of the same step ({', or '.join(places)}) give "
        message = (f"{text}{here.function} different values",)
        self.writer.branch(span, differs, (n.Fail(span, FaultKind.CONFLICT, message),))
