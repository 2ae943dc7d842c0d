"""What a model asks of its runs in temporal logic, with the fairness that it declares: its formulas as requirements."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from types import FunctionType
from typing import TYPE_CHECKING, Any

from asset.errors import ModelRejected, UsageError
from asset.ir.requirements import Branching, Fairness, Predicate, StepPredicate, Taken, Temporal
from asset.logic.formulas import Atom, Formula, Logic, atoms_of, logic_of, misplaced, rename_atoms
from asset.model import temporal_words
from asset.model.decorations import note
from asset.model.formula_reading import FormulaReader, StateAtom, StepAtom, commands_of
from asset.model.processes import Process
from asset.model.spans import user_span
from asset.model.state import rejected
from asset.model.temporal import temporal_properties_of
from asset.model.transitions import Transition, members_in_order
from asset.span import NOWHERE, Span

if TYPE_CHECKING:
    from asset.logic.parsing import Expression
    from asset.model import Model

Observe = Callable[[StateAtom | StepAtom], Predicate | StepPredicate]
"""Makes a predicate of a part of a formula that speaks of one state, or of a state and the next one."""


@dataclass(frozen=True, slots=True)
class AskedFormula:
    """A formula that the command line asks for, as text; `source` is the option."""

    source: str
    text: str


def declared_formulas(model: Model, observe: Observe, asked: Sequence[AskedFormula]) -> Iterator[Temporal | Branching]:
    """The formulas of the model, then those that are asked besides; predicates are the keys of their atoms."""
    reader = FormulaReader(model)
    fairness = tuple(fairness_of(model))
    known: dict[StateAtom | StepAtom, Predicate | StepPredicate] = {}

    def observed(formula: Formula) -> Formula:
        return rename_atoms(formula, predicate)

    def predicate(key: object) -> Formula:
        if isinstance(key, StateAtom | StepAtom):
            if key not in known:
                known[key] = observe(key)
            return Atom(known[key])
        return Atom(key)

    declared = temporal_properties_of(type(model))
    assumed = [observed(f.formula) for each in declared if each.assumed for f in each.instances(model, reader)]
    asking = [
        (f.name, f.formula, f.span) for each in declared if not each.assumed for f in each.instances(model, reader)
    ]
    for name, formula, span in (*asking, *(_parsed(reader, each) for each in asked)):
        if logic_of(formula) is not Logic.CTL:
            yield Temporal(name, observed(formula), span, fairness, tuple(assumed))
            continue
        if any(isinstance(key, Taken | StepAtom) for key in atoms_of(formula)):
            said = f"{name} speaks of a step (taken, after or changes), and CTL speaks of states"
            raise ModelRejected.of(said, span, "write it in LTL")
        yield Branching(name, observed(formula), span, fairness, tuple(assumed))


def _parsed(reader: FormulaReader, asked: AskedFormula) -> tuple[str, Formula, Span | None]:
    from asset.logic.parsing import Expression, parse_ctl, parse_ltl  # here, as few checks need it

    parse = parse_ctl if asked.source == "--ctl" else parse_ltl
    parsed = parse(asked.text, asked.source)

    def resolved(key: object) -> Formula:
        assert isinstance(key, Expression)
        return _resolved(reader, key)

    formula = rename_atoms(parsed, resolved)
    wrong = misplaced(formula)
    if wrong is not None:
        raise UsageError.of(f"{asked.source}: {wrong} is not part of this logic")
    return asked.text, formula, None


def _resolved(reader: FormulaReader, expression: Expression) -> Formula:
    """The part of a formula with names of the model, at its place in the option."""
    try:
        node = ast.parse(expression.text, mode="eval").body
    except SyntaxError as error:
        raise UsageError.of(f"{expression.text}: {error.msg}", expression.span) from None
    for part in ast.walk(node):
        if isinstance(part, ast.expr):
            part.col_offset += expression.span.column - 1
            part.end_col_offset = (part.end_col_offset or part.col_offset) + expression.span.column - 1
    return reader.read_expression(node, _surroundings(reader.model, expression.span.file))


def _surroundings(model: Model, file: str) -> FunctionType:
    """A function that sees what the module of the model sees, and the words of formulas."""
    module = sys.modules.get(type(model).__module__)
    code = compile("def formula(self): pass", file, "exec").co_consts[0]
    words = {name: word for name, word in vars(temporal_words).items() if not name.startswith("_")}
    return FunctionType(code, {**words, **(vars(module) if module else {})})


# --- fairness ---------------------------------------------------------------------------------------------------


class DeclaredFairness:
    """What belongs together and is treated fairly, named by the attribute that it is assigned to."""

    decorator = "fairness"

    def __init__(self, strong: bool, members: tuple[Transition | Process, ...]) -> None:
        self.strong = strong
        self.members = members
        self.span = user_span() or NOWHERE


def weak(*members: Any) -> Any:
    """Declares weak fairness: `fair = weak(think, send)` in the body of the class.

    The transitions belong together: if one or another of them is enabled for ever, they are fired again and again. If
    they have the same indices, that is so for each value of the indices.
    """
    return _noted("weak", DeclaredFairness(False, _checked("weak", members)))


def strong(*members: Any) -> Any:
    """Declares strong fairness: as `weak`, but if one is enabled again and again, they are fired again and again."""
    return _noted("strong", DeclaredFairness(True, _checked("strong", members)))


def _noted(word: str, declared: DeclaredFairness) -> DeclaredFairness:
    note(word, declared)
    return declared


def _checked(word: str, members: tuple[Any, ...]) -> tuple[Transition | Process, ...]:
    if not members or not all(isinstance(each, Transition | Process) for each in members):
        raise rejected(f"{word} takes transitions and processes of the model", f"write {word}(think, send)")
    return members


def fairness_of(model: Model) -> Iterator[Fairness]:
    """What the model declares, by the order of its text."""
    for name, member in members_in_order(type(model)).items():
        if isinstance(member, Transition | Process) and member.fair is not None:
            yield from _each(model, (member,), member.name, member.fair == "strong")
        elif isinstance(member, DeclaredFairness):
            yield from _each(
                model, tuple(_current(model, each, member.span) for each in member.members), name, member.strong
            )


def _current(model: Model, member: Transition | Process, span: Span) -> Transition | Process:
    """By name: a subclass may have replaced it by its own."""
    found = inspect.getattr_static(type(model), member.name, None)
    if not isinstance(found, Transition | Process):
        raise ModelRejected.of(f"{member.name} is not a transition of {type(model).__name__}", span)
    return found


def _each(model: Model, members: tuple[Transition | Process, ...], name: str, is_strong: bool) -> Iterator[Fairness]:
    """One for each value of the indices if all have the same, else one for all."""
    indices = {(each.index_names, each.ranges(model)) for each in members}
    if len(indices) > 1:
        yield Fairness(name, frozenset().union(*(commands_of(model, each) for each in members)), is_strong)
        return
    for given in product(*next(iter(indices))[1]):
        commands = frozenset[int]().union(*(commands_of(model, each, given) for each in members))
        shown = f"{name}({', '.join(str(int(i)) for i in given)})" if given else name
        yield Fairness(shown, commands, is_strong)
