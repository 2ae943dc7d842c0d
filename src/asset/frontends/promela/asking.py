"""What a model asks for: valid ends, progress, no acceptance cycles, formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from asset.frontends.promela import syntax as s
from asset.frontends.promela.claiming import Claim
from asset.frontends.promela.code import Slots, all_of, any_of, equal, negated, source_text
from asset.frontends.promela.control import Control, Element
from asset.frontends.promela.evaluating import Evaluating, Frame
from asset.frontends.promela.expressions import Scope
from asset.frontends.promela.layout import Kind
from asset.frontends.promela.temporal import parse_formula
from asset.frontends.promela.tracing import Tracing
from asset.ir import nodes as n
from asset.ir.program import Function
from asset.ir.requirements import Enabled, Invariant, MustProgress, Predicate, Requirement, Temporal, Terminal
from asset.logic.formulas import TRUE, Always, And, Atom, Constant, Eventually, Formula, Iff, Implies, Not, Or
from asset.span import Span


class Asking:
    def __init__(self, evaluating: Evaluating, kinds: Sequence[Kind], functions: list[Function]) -> None:
        self._evaluating = evaluating
        self._kinds = kinds
        self._functions = functions
        self._atoms: dict[str, Formula] = {}
        """Those of formulas, by their text with all macros expanded."""
        self._written: dict[str, set[str]] = {}
        """The texts of the atoms that are written in the same way."""

    def claimed(self, claim: Claim, commands: frozenset[int]) -> Iterator[Requirement]:
        """What SPIN asks of a model with a never claim: that it does not end, nor accepts for ever.

        A run that the claim cannot follow is no run, so a state where it stops is none that goes on for ever.
        """
        span, slots = claim.kind.process.span, Slots()
        ends = claim.completing(Frame(claim.kind, n.Const(span, 0), slots))
        yield Invariant(self._predicate("the never claim does not end", negated(ends), span, slots))
        accepting = self._labelled((*self._kinds, claim.kind), lambda control: control.accepting)
        if accepting is not None:
            at = Atom(self._predicate("accepting", *accepting))
            going = Atom(Enabled("some step is enabled", commands))
            yield Temporal("no acceptance cycle", Eventually(Always(Not(And((at, going))))), accepting[1])

    def requirements(self, module: s.Module, scope: Scope, trace: Tracing | None) -> Iterator[Requirement]:
        yield Terminal(self._predicate("valid end state", self._ends(trace), self._kinds[0].process.span))
        progress = self._labelled(self._kinds, lambda control: control.progress)
        if progress is not None:
            yield MustProgress(self._predicate("progress", progress[0], progress[1]))
        accepting = self._labelled(self._kinds, lambda control: control.accepting)
        if accepting is not None:
            at = Atom(self._predicate("accepting", *accepting))
            yield Temporal("no acceptance cycle", Eventually(Always(Not(at))), accepting[1])
        for formula in module.formulas:
            parse_formula(formula, scope, self._note)
        for formula in module.formulas:
            yield self._asked(formula, parse_formula(formula, scope, self._atom))

    def _asked(self, formula: s.Formula, parsed: Formula) -> Requirement:
        """What must always hold of the state is an invariant, which is decided while exploring."""
        if isinstance(parsed, Always):
            code = _state_code(parsed.operand, formula.span)
            if code is not None:
                return Invariant(self._predicate(formula.name, code, formula.span))
        return Temporal(formula.name, parsed, formula.span)

    def _ends(self, trace: Tracing | None) -> n.Expr:
        """Every process is gone, or at a place that is a valid end, and so is the trace, if any is left."""
        tests: list[n.Expr] = []
        span = self._kinds[0].process.span
        for kind in self._kinds:
            span = kind.process.span
            ends = [0, *(place.number for place in kind.control.places if place in kind.control.ends)]
            for pid in kind.pids:
                at = self._evaluating.place(kind, n.Const(span, pid), span)
                tests.append(any_of(span, [equal(span, at, end) for end in ends]))
        if trace is not None:
            gone = equal(span, self._evaluating.whole["_nr_pr"](span, n.Const(span, 0)).code, 0)
            tests.append(any_of(span, (gone, trace.over(span))))
        return all_of(span, tests)

    def _labelled(self, kinds: Sequence[Kind], places: Callable[[Control], set[Element]]) -> tuple[n.Expr, Span] | None:
        """Whether some process is at such a place; None if there is no such place."""
        found = [
            (kind, pid, place)
            for kind in kinds
            for place in kind.control.places
            if place in places(kind.control)
            for pid in kind.pids
        ]
        if not found:
            return None
        span = found[0][2].span
        tests = [
            equal(span, self._evaluating.place(kind, n.Const(span, pid), span), place.number)
            for kind, pid, place in found
        ]
        return any_of(span, tests), span

    def _atom(self, e: s.Expr, text: str) -> Formula:
        """Formulas speak of what is shared, so that the same text means the same."""
        if text not in self._atoms:
            slots = Slots()
            code = self._evaluating.test(e, Frame(None, n.Const(e.span, 0), slots))
            self._atoms[text] = Atom(self._predicate(self._atom_name(e, text), code, e.span, slots))
        return self._atoms[text]

    def _atom_name(self, e: s.Expr, text: str) -> str:
        """As it is written, unless it is a part of what a macro stands for, all of which has the place of the macro."""
        written = source_text(e.span)
        alone = self._written[written] == {text} and written.count("(") == written.count(")")
        return written if alone else text

    def _note(self, e: s.Expr, text: str) -> Formula:
        self._written.setdefault(source_text(e.span), set()).add(text)
        return TRUE

    def _predicate(self, name: str, code: n.Expr, span: Span, slots: Slots | None = None) -> Predicate:
        names = () if slots is None else tuple(slots.names)
        self._functions.append(Function(name, 0, names, (n.Return(span, code),), span))
        return Predicate(name, len(self._functions) - 1, (), span)


def _state_code(formula: Formula, span: Span) -> n.Expr | None:
    """The formula as a question about one state; None if it speaks of others, too."""
    match formula:
        case Atom(key=Predicate(function=function)):
            return n.Call(span, function, ())
        case Constant(value=value):
            return n.Const(span, int(value))
        case Not() | And() | Or() | Implies() | Iff():
            parts = [_state_code(part, span) for part in formula.operands]
            known = [part for part in parts if part is not None]
            return _combined(formula, known, span) if len(known) == len(parts) else None
    return None


def _combined(formula: Formula, parts: list[n.Expr], span: Span) -> n.Expr:
    match formula:
        case Not():
            return negated(parts[0])
        case And():
            return all_of(span, parts)
        case Implies():
            return any_of(span, (negated(parts[0]), parts[1]))
        case Iff():
            return n.Binary(span, n.BinaryOp.EQ, parts[0], parts[1])
    return any_of(span, parts)
