"""Reads formulas from the text of methods: operators are found by their words, what is between them speaks of states.

Every largest part without temporal words becomes a function of its own over one state, for whoever runs the model.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from itertools import product
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

from asset.deferred import dataclass
from asset.errors import ModelRejected
from asset.ir.requirements import Enabled, Taken
from asset.logic.formulas import FALSE, TRUE, And, Atom, Formula, Not, Or
from asset.model.processes import Process
from asset.model.spans import span_of
from asset.model.syntax_trees import STEP_MARK, StepDefinition, WithoutSelf, closure_of, function_from
from asset.model.temporal_words import FormulaWord, StepWord, TemporalWord, changes, enabled
from asset.model.transitions import Transition, numbered
from asset.span import Span

if TYPE_CHECKING:
    from asset.model import Model


@dataclass(frozen=True, eq=False, slots=True)
class StateAtom:
    """A part of a formula that speaks of one state: a method without indices, which is only looked at by those who read
    its code."""

    text: str
    function: FunctionType
    span: Span

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False, slots=True)
class StepAtom:
    """A part of a formula that speaks of a state and the next one: a method that is given what `values` are there."""

    text: str
    function: FunctionType
    values: tuple[FunctionType, ...]
    span: Span

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose names a formula uses: those of the function that it is written in, of the model, and its indices."""

    model: Model
    function: FunctionType
    itself: str = "self"

    def value_of(self, name: str) -> object:
        """What a name that is not in the state means; None if nothing."""
        named = {**vars(builtins), **self.function.__globals__, **closure_of(self.function)}
        return named.get(name)

    def evaluated(self, node: ast.expr) -> Any:
        """A number that does not depend on the state. Raises whatever evaluating it raises."""
        text = ast.unparse(WithoutSelf(self.itself).visit(deepcopy(node)))
        model = self.model
        scope = {**vars(builtins), **self.function.__globals__, **vars(type(model)), **model.parameters}
        return eval(text, scope | closure_of(self.function))


class FormulaReader:
    """Reads the formulas of one model; a part that stands in two of them is the same atom."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.places: dict[Formula, Span] = {}
        """Of what temporal words make, where each was met first."""
        self._atoms: dict[tuple[object, ...], StateAtom | StepAtom] = {}

    def read(self, function: FunctionType, tree: ast.FunctionDef, indices: Mapping[str, int]) -> Formula:
        """What the method returns, for these indices."""
        itself = tree.args.args[0].arg
        reading = _Reading(Scope(self.model, function, itself), self._atoms, self.places)
        known: dict[str, ast.expr] = {name: ast.Constant(int(value)) for name, value in indices.items()}
        for statement in tree.body:
            match statement:
                case ast.Expr(value=ast.Constant()):
                    continue
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    known[name] = _Substitution(known).visit(deepcopy(value))
                case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(
                    values
                ) and all(isinstance(name, ast.Name) for name in names):
                    parts = [_Substitution(known).visit(deepcopy(value)) for value in values]
                    known |= {
                        name.id: part for name, part in zip(names, parts, strict=True) if isinstance(name, ast.Name)
                    }
                case ast.Return(value=ast.expr() as value):
                    return reading.formula(_Substitution(known).visit(deepcopy(value)))
                case _:
                    reading.reject(statement, "a formula is one expression", "return it; names may be given to parts")
        reading.reject(tree, f"{tree.name} must return a formula", "write return always(...)")

    def read_expression(self, node: ast.expr, function: FunctionType) -> Formula:
        """An expression over the names of the model, without `self`, in the surroundings of the function."""
        names = {*self.model._variables, *self.model.parameters, *dir(type(self.model))}
        itself = _Substitution({name: ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load()) for name in names})
        return _Reading(Scope(self.model, function), self._atoms, self.places).formula(itself.visit(node))


class _Substitution(ast.NodeTransformer):
    """Puts expressions in the place of names, as long as these are not bound again."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self._known or not isinstance(node.ctx, ast.Load):
            return node
        value = deepcopy(self._known[node.id])
        return ast.fix_missing_locations(ast.copy_location(value, node))

    def _visit_bound(self, node: Any) -> ast.AST:
        """A comprehension: its names are its own, but the first iterable is evaluated outside of it."""
        first = node.generators[0]
        outside = self.visit(first.iter)
        bound = {n.id for each in node.generators for n in ast.walk(each.target) if isinstance(n, ast.Name)}
        first.iter = ast.Constant(None)
        inner = _Substitution({name: value for name, value in self._known.items() if name not in bound})
        inner.generic_visit(node)
        first.iter = outside
        return node  # type: ignore[no-any-return]

    visit_GeneratorExp = visit_ListComp = visit_SetComp = visit_DictComp = _visit_bound


class _Afters(ast.NodeTransformer):
    """Puts a name in the place of each part that speaks of the next state; `expressions` are those parts."""

    def __init__(self, reading: _Reading) -> None:
        self._reading = reading
        self._bound: set[str] = set()
        self.names: list[str] = []
        self.expressions: list[ast.expr] = []

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        self._bound |= {n.id for each in node.generators for n in ast.walk(each.target) if isinstance(n, ast.Name)}
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        word = self._reading.word(node.func)
        if word is None:
            return self.generic_visit(node)
        if len(node.args) != 1 or node.keywords or self._reading.words(node.args[0]):
            example = f"write {word.name}(self.x)"
            self._reading.reject(node, f"{word.name} takes one expression of the state", example)
        used = {n.id for n in ast.walk(node.args[0]) if isinstance(n, ast.Name)} & self._bound
        if used:
            self._reading.reject(
                node,
                f"{word.name}(...) cannot depend on {min(used)}, which is bound here",
                "write all(...) or any(...) over a range of numbers, one formula for each",
            )
        self.expressions.append(node.args[0])
        self.names.append(f"_asset_after_{len(self.names)}")  # no name that a modeller would write
        given: ast.expr = ast.copy_location(ast.Name(self.names[-1], ast.Load()), node)
        if word is changes:
            given = ast.copy_location(ast.Compare(given, [ast.NotEq()], [deepcopy(node.args[0])]), node)
        return given


class _Reading:
    """Reads one expression."""

    def __init__(
        self, scope: Scope, atoms: dict[tuple[object, ...], StateAtom | StepAtom], places: dict[Formula, Span]
    ) -> None:
        self._scope = scope
        self._atoms = atoms
        self._places = places

    def formula(self, node: ast.expr) -> Formula:
        if isinstance(node, ast.Call):
            word = self.word(node.func)
            if word is not None and not isinstance(word, StepWord):
                return self._said(word, node)
        words = self.words(node)
        if not words:
            return self._of_state(node)
        if self._is_of_step(node):
            return self._of_step(node)
        match node:
            case ast.BoolOp(op=operator, values=parts):
                kind = And if isinstance(operator, ast.And) else Or
                return kind(tuple(map(self.formula, parts)))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Not(self.formula(operand))
            case ast.IfExp(test=test, body=then, orelse=orelse):
                tested = self.formula(test)
                return Or((And((tested, self.formula(then))), And((Not(tested), self.formula(orelse)))))
            case ast.Call(func=ast.Name(id="all" | "any" as name), args=[ast.GeneratorExp() as each], keywords=[]):
                return (And if name == "all" else Or)(tuple(self._expanded(each)))
            case _ if all(isinstance(word, StepWord) for word in words):
                return self._of_step(node)
            case _:
                named = next(each.name for each in words if not isinstance(each, StepWord))
                self.reject(
                    node,
                    f"{named}(...) is a formula, and is used here as a value of the state",
                    "combine formulas with and, or, not, implies and temporal operators",
                )

    def word(self, node: ast.expr) -> FormulaWord | None:
        """The word that a function is called by: `always`, or `asset.always`."""
        match node:
            case ast.Name(id=name):
                found = self._scope.value_of(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module != self._scope.itself:
                found = getattr(self._scope.value_of(module), name, None)
            case _:
                return None
        return found if isinstance(found, FormulaWord) else None

    def words(self, node: ast.expr) -> list[FormulaWord]:
        """The words of formulas that the expression has anywhere."""
        found = (self.word(part) for part in ast.walk(node) if isinstance(part, ast.Name | ast.Attribute))
        return [word for word in found if word is not None]

    def _is_of_step(self, node: ast.expr) -> bool:
        """Whether the whole can be asked of a state and the next one: what it says of that depends on no element."""
        words = [part for part in ast.walk(node) if isinstance(part, ast.Call) and self.word(part.func)]
        clauses = [part for part in ast.walk(node) if isinstance(part, ast.comprehension)]
        bound = {name.id for each in clauses for name in ast.walk(each.target) if isinstance(name, ast.Name)}
        used = {name.id for word in words for name in ast.walk(word) if isinstance(name, ast.Name)}
        return all(isinstance(word, StepWord) for word in self.words(node)) and not used & bound

    def _said(self, word: FormulaWord, node: ast.Call) -> Formula:
        if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            self.reject(node, f"{word.name} takes formulas, one after the other", "write them without * and names")
        if not isinstance(word, TemporalWord):
            return self._of_commands(word, node)
        if len(node.args) != word.arity:
            several = "one formula" if word.arity == 1 else f"{word.arity} formulas"
            example = f"write {word.name}({'p, q'[: 3 * word.arity - 2]})"
            self.reject(node, f"{word.name} takes {several}, not {len(node.args)}", example)
        built = word.build(*map(self.formula, node.args))
        self._places.setdefault(built, self._span(node))
        return built

    def _expanded(self, node: ast.GeneratorExp) -> Iterable[Formula]:
        """A formula for each element: `all(always(...) for i in range(self.n))`."""
        match node:
            case ast.GeneratorExp(generators=[ast.comprehension(target=ast.Name(id=name), iter=values, ifs=[])]):
                pass
            case _:
                only = "a formula for each element has one `for name in ...`, and no `if`"
                self.reject(node, only, "write range(1, self.n), or implies(...) for what is to be left out")
        try:
            numbers = [int(value) for value in self._scope.evaluated(values)]
        except Exception as error:
            self.reject(values, f"the elements must be known: {error}", "write range(self.n)")
        for number in numbers:
            yield self.formula(_Substitution({name: ast.Constant(number)}).visit(deepcopy(node.elt)))

    # --- states -------------------------------------------------------------------------------------------------

    def _of_state(self, node: ast.expr) -> Formula:
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return TRUE if node.value else FALSE
        key = self._key(node)
        if key not in self._atoms:
            self._atoms[key] = StateAtom(self._text(node), self._function(node), self._span(node))
        return Atom(self._atoms[key])

    def _of_step(self, node: ast.expr) -> Formula:
        """`after(self.x) >= self.x`: what is said of the next state is given to a function of this one."""
        key = self._key(node)
        if key not in self._atoms:
            afters = _Afters(self)
            function = self._function(afters.visit(deepcopy(node)), afters.names)
            values = tuple(map(self._function, afters.expressions))
            self._atoms[key] = StepAtom(self._text(node), function, values, self._span(node))
        return Atom(self._atoms[key])

    def _text(self, node: ast.expr) -> str:
        return ast.unparse(WithoutSelf(self._scope.itself).visit(deepcopy(node)))

    def _key(self, node: ast.expr) -> tuple[object, ...]:
        """The same text in the same surroundings asks the same."""
        function = self._scope.function
        return (ast.dump(node), id(function.__globals__), function if function.__closure__ else None)

    def _function(self, node: ast.expr, more: Sequence[str] = ()) -> FunctionType:
        """`lambda self: <node>`, perhaps with more arguments, and with a definition for those who read it."""
        place = {name: getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
        names = [ast.arg(name) for name in (self._scope.itself, *more)]
        definition = ast.FunctionDef(
            name="atom",
            args=ast.arguments([], names, None, [], [], None, []),
            body=[ast.Return(node, **place)],
            decorator_list=[],
            **place,
        )
        ast.fix_missing_locations(definition)
        function = function_from(definition, self._scope.function)
        setattr(function, STEP_MARK, StepDefinition(definition, self._span(node)))
        return function

    # --- commands -----------------------------------------------------------------------------------------------

    def _of_commands(self, word: FormulaWord, node: ast.Call) -> Formula:
        """enabled(self.request, i), taken(self.request, i)."""
        member = self._named(node.args[0]) if node.args else None
        if member is None:
            example = f"write {word.name}(self.request, i)"
            self.reject(node, f"{word.name} takes a transition or a process, and its indices", example)
        try:
            given = tuple(int(self._scope.evaluated(arg)) for arg in node.args[1:])
        except Exception as error:
            self.reject(node, f"the indices must be known: {error}", "use the indices of the method, or numbers")
        try:
            commands = commands_of(self._scope.model, member, given)
        except LookupError as error:
            self.reject(node, str(error.args[0]), f"write {word.name}(self.{member.name}) to speak of all of them")
        name = f"{member.name}({', '.join(map(str, given))})" if given else member.name
        observed = f"{word.name}({name})"
        return Atom(Enabled(observed, commands) if word is enabled else Taken(observed, commands))

    def _named(self, node: ast.expr) -> Transition | Process | None:
        match node:
            case ast.Attribute(value=ast.Name(id=itself), attr=name) if itself == self._scope.itself:
                member = inspect.getattr_static(type(self._scope.model), name, None)
                return member if isinstance(member, Transition | Process) else None
            case _:
                return None

    # --- mistakes -----------------------------------------------------------------------------------------------

    def reject(self, node: ast.expr | ast.stmt, message: str, remedy: str = "") -> NoReturn:
        raise ModelRejected.of(message, self._span(node), remedy)

    def _span(self, node: ast.expr | ast.stmt) -> Span:
        end = node.end_lineno or node.lineno
        columns = (node.col_offset, node.end_col_offset or node.col_offset + 1)
        return span_of(self._scope.function.__code__.co_filename, node.lineno, end, columns)


def commands_of(model: Model, member: Transition | Process, given: tuple[int, ...] = ()) -> frozenset[int]:
    """The numbers of the transition's commands, or of all steps of the process, with these indices; of all without.

    Raises LookupError if there is none with these indices.
    """
    if given and len(given) != len(member.index_names):
        raise LookupError(f"{member.name} has the indices {', '.join(member.index_names) or '(none)'}, not {given}")
    steps = member.all_steps(model) if isinstance(member, Process) else (member,)
    numbers: set[int] = set()
    for step in steps:
        family = numbered(model)[step.name]
        for number, indices in enumerate(product(*family.ranges), family.first):
            if step.is_of(member.name, given, indices):
                numbers.add(number)
    if given and not numbers:
        said = ", ".join(map(str, given))
        raise LookupError(f"{member.name} has no {'index' if len(given) == 1 else 'indices'} {said}")
    return frozenset(numbers)
