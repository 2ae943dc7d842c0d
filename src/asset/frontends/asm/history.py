"""Operators of the past: what they say of a run so far is a truth value that the state remembers.

`g(p implies o(q))` and the like need none, as operators of the future say it as well (`patterns`). In all other
formulas, each operator of the past becomes the name of such a value; its operands are about states, or the past.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from asset.frontends.asm import code as c
from asset.frontends.asm import tree as t
from asset.frontends.asm.expanding import Expanding
from asset.frontends.asm.kinds import TRUTHS, ScalarSort
from asset.frontends.asm.library import TEMPORAL
from asset.frontends.asm.patterns import PAST, simple_past
from asset.frontends.asm.problems import Rejected
from asset.frontends.asm.signature import FunctionInfo, Signature
from asset.frontends.asm.storage import Stored
from asset.frontends.asm.terms import Terms
from asset.ir import nodes as n
from asset.ir.interpreter import Interpreter
from asset.ir.program import Program, State
from asset.ir.requirements import Predicate
from asset.span import Span

_OF_TWO = ("s", "t")
_REMEMBERED = (*PAST, *_OF_TWO)


@dataclass(frozen=True, slots=True)
class Past:
    """An operator of the past with its operands, and the function whose value is what it says."""

    operator: str
    operands: tuple[t.Term, ...]
    function: FunctionInfo

    @property
    def last(self) -> t.Term:
        return self.operands[-1]


@dataclass
class History:
    """All operators of the past in the specifications of a machine, each after those in its operands."""

    names: Signature
    text_of: Callable[[Span], str]
    found: dict[str, Past] = field(default_factory=dict)

    def rewritten(self, asked: t.Specification) -> t.Specification:
        """The specification with names in the place of operators that are to be remembered."""
        if asked.kind != "ltl":
            return asked
        term = Expanding(self.names, self._is_temporal).expanded(asked.term)
        return replace(asked, term=self._formula(term))

    def _formula(self, term: t.Term) -> t.Term:
        match term:
            case t.Apply() if self._has_past(term) and simple_past(term, self._is_past, self._is_temporal) is None:
                found: t.Term = t.changed(term, self._named)
                return found
            case t.Unary(operand=operand):
                return replace(term, operand=self._formula(operand))
            case t.Binary(left=left, right=right):
                return replace(term, left=self._formula(left), right=self._formula(right))
            case t.Quantified(body=body):
                return replace(term, body=self._formula(body))
        return term

    def _named(self, node: t.Node) -> t.Node:
        if not isinstance(node, t.Apply) or not self._is_past(node):
            return node
        operator = node.name.lower()
        wanted = 2 if operator in _OF_TWO else 1
        if len(node.args) != wanted:
            problem = f"{node.name} takes {wanted} terms, not {len(node.args)}"
            raise Rejected(problem, node.span, "write o(p), h(p), y(p), z(p), s(p, q) or t(p, q)")
        if any(map(self._is_temporal, node.args)):
            remedy = "write it with operators of the future only, or of the past only"
            raise Rejected(f"the operands of {node.name} are about states and the past", node.span, remedy)
        self._require_closed(node)
        name = self._name_of(node)
        function = FunctionInfo(name, "controlled", node.span, (), ScalarSort(TRUTHS, (0, 1)))
        self.found[name] = Past(operator, node.args, function)
        return t.Name(node.span, name)

    def _name_of(self, node: t.Apply) -> str:
        """Its text, with a number if another one has it: in a definition that is written out, variables differ."""
        text = self.text_of(node.span)
        names = (text, *(f"{text} [{number}]" for number in range(2, len(self.found) + 3)))
        return next(each for each in names if each not in self.found or self.found[each].operands == node.args)

    def _require_closed(self, node: t.Apply) -> None:
        bound = {each.pattern for each in t.walk(node) if isinstance(each, t.Binder)}
        known = {each.name for pattern in bound for each in t.walk(pattern) if isinstance(each, t.Name)}
        for each in t.walk(node):
            if isinstance(each, t.Name) and each.name.startswith("$") and each.name not in known:
                problem = f"{each.name} is bound outside of {node.name}, of which the state remembers one value"
                raise Rejected(problem, node.span, "write the formula for each element, or as g(p implies o(q))")

    def _has_past(self, term: t.Term) -> bool:
        return any(isinstance(each, t.Apply) and self._is_past(each) for each in t.walk(term))

    def _is_past(self, term: t.Apply) -> bool:
        return term.name.lower() in _REMEMBERED and self.names.is_operator(term)

    def _is_temporal(self, term: t.Term) -> bool:
        return any(
            isinstance(each, t.Apply) and each.name in TEMPORAL and self.names.is_operator(each)
            for each in t.walk(term)
        )


@dataclass(frozen=True, slots=True)
class HistoryWriter:
    """Writes what a step makes of the values that are remembered. `terms` read the state as it is."""

    history: Sequence[Past]
    stored: Mapping[str, Stored]
    terms: Terms

    def before(self) -> dict[str, n.Expr]:
        """What was, before the step changes anything: the operands of `y` and `z`."""
        held = [each for each in self.history if each.operator in ("y", "z")]
        return {each.function.name: self._assigned(each) for each in held}

    def _assigned(self, past: Past) -> n.Expr:
        return self.terms.writer.assign(past.last.span, "before", self.terms.truth(past.last, {}))

    def after(self, before: Mapping[str, n.Expr]) -> None:
        """After all updates: the values for the next state."""
        for past in self.history:
            variable, span = self.stored[past.function.name].first, past.last.span
            value = before.get(past.function.name)
            if value is None:
                value = self._now(past, n.Read(span, variable, ()))
            self.terms.writer.emit(n.SetState(span, variable, (), value))

    def _now(self, past: Past, known: n.Expr) -> n.Expr:
        span, last = past.last.span, self.terms.truth(past.last, {})
        first = self.terms.truth(past.operands[0], {})
        match past.operator:
            case "o":
                return c.disjunction(span, (known, last))
            case "h":
                return c.conjunction(span, (known, last))
            case "s":
                return c.disjunction(span, (last, c.conjunction(span, (first, known))))
        return c.conjunction(span, (last, c.disjunction(span, (first, known))))


def begun(program: Program, remembered: Sequence[tuple[Past, int, Predicate]]) -> tuple[State, ...]:
    """The initial states, with what is remembered of a run that begins there: each with its cell, and what its last
    operand says."""
    interpreter, states = Interpreter(program), []
    for state in program.initial_states:
        cells = list(state)
        for past, cell, predicate in remembered:
            holds = interpreter.evaluate(predicate, tuple(cells)) is None
            cells[cell] = int({"y": False, "z": True}.get(past.operator, holds))
        states.append(tuple(cells))
    return tuple(states)
