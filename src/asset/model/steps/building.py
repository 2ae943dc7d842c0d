"""The functions of a process: each step is a method that fires if the process is at the step's point."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import CellType, FunctionType

from asset.model.spans import line_span
from asset.model.steps.liveness import read_names
from asset.model.steps.points import Point, Split
from asset.model.steps.splitting import ChoiceMade, Code, Exit, choice_name
from asset.model.syntax_trees import STEP_MARK, StepDefinition, WithoutSelf, function_from, placed, stored_names

WHEN = "asset.when"
"""No name that a modeller can write: it cannot hide one of the model's."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An index of a step: one value for each alternative."""

    name: str
    values: tuple[int, ...]
    """What it ranges over: the alternatives, or their numbers if they are computed."""
    is_computed: bool


@dataclass(frozen=True, slots=True)
class ProcessState:
    """How a model holds a process: the names of its state variables, and what unneeded local variables are."""

    name: str
    offsets: tuple[int, ...]
    """The first value of each index: cells are counted from there."""
    canonical: Mapping[str, int | str | Enum | None]
    alternatives: Callable[[str], tuple[int, ...]]
    """What a choice ranges over, given as text over the parameters."""

    @property
    def at(self) -> str:
        return f"{self.name}.at"

    def variable(self, local: str) -> str:
        name = f"{self.name}.{local}"
        return f"{name} (local)" if name == self.at else name


@dataclass(frozen=True, slots=True)
class BuiltStep:
    point: Point
    function: FunctionType
    choices: tuple[Choice, ...]


def steps(split: Split, state: ProcessState, when: Callable[[object], None]) -> Iterator[BuiltStep]:
    """The steps of the process, in the order of their points."""
    for point in split.points:
        if point.segment is not None:
            yield _StepBuilder(split, state, point).built(when)


class _StepBuilder:
    def __init__(self, split: Split, state: ProcessState, point: Point) -> None:
        assert point.segment is not None
        self._split, self._state, self._point, self._segment = split, state, point, point.segment
        self._first = self._segment.code[0]
        self._stored = stored_names(self._segment.code).keys()
        self._flagged = self._choices_not_always_made()
        self._choices = self._specified()
        self._objects: dict[str, CellType] = {}
        """What the code names and the modeller's text does not."""

    def built(self, when: Callable[[object], None]) -> BuiltStep:
        node = self._definition()
        name = f"{self._state.name}@{self._point.title.rpartition('line ')[2].rstrip(')')}"
        node.name = name
        function = function_from(node, self._split.function, {WHEN: CellType(when), **self._objects})
        file = self._split.function.__code__.co_filename
        setattr(function, STEP_MARK, StepDefinition(node, line_span(file, self._point.line)))
        return BuiltStep(self._point, function, self._choices)

    # --- choices --------------------------------------------------------------------------------------------------

    def _choices_not_always_made(self) -> frozenset[int]:
        """The choices that some path of the step does not come to: such a path is a transition once only."""
        made = set()
        for statement in self._segment.code:
            if isinstance(statement, ChoiceMade):
                made.add(statement.choice)
            elif any(isinstance(part, Exit) for part in ast.walk(statement)):
                break
        return frozenset(range(len(self._segment.choices))) - made

    def _specified(self) -> tuple[Choice, ...]:
        taken = {n.id for s in self._segment.code for n in ast.walk(s) if isinstance(n, ast.Name)}
        result = []
        for number, call in enumerate(self._segment.choices):
            name = "choice" if number == 0 else f"choice{number + 1}"
            while name in taken or name in self._split.indices:
                name += "_"
            text = self._text(call)
            values = tuple(range(len(call.args))) if text is None else self._state.alternatives(text)
            result.append(Choice(name, values, text is None))
        return tuple(result)

    def _text(self, call: ast.Call) -> str | None:
        """The alternatives as text over the parameters; None if they are computed in the step."""
        texts = [ast.unparse(WithoutSelf(self._split.itself).visit(deepcopy(a))) for a in call.args]
        if len(texts) == 1:
            return texts[0]
        return f"({', '.join(texts)})" if all(self._is_known(argument) for argument in call.args) else None

    def _is_known(self, node: ast.expr) -> bool:
        """Whether the value can be seen from the text alone: a constant, or a member of an enumeration."""
        match node:
            case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
                return True
            case ast.Attribute(value=ast.Name(id=owner)):
                return isinstance(self._split.function.__globals__.get(owner), type)
            case _:
                return False

    def _alternative(self, choice: int, call: ast.Call) -> ast.expr:
        """What is chosen."""
        index: ast.expr = ast.Name(self._choices[choice].name, ast.Load())
        if not self._choices[choice].is_computed:
            return index
        value = deepcopy(call.args[-1])
        for number in reversed(range(len(call.args) - 1)):
            test = ast.Compare(deepcopy(index), [ast.Eq()], [ast.Constant(number)])
            value = ast.IfExp(test, deepcopy(call.args[number]), value)
        return value

    # --- code -----------------------------------------------------------------------------------------------------

    def _definition(self) -> ast.FunctionDef:
        flags: Code = [_assign(_flag(choice), ast.Constant(False)) for choice in sorted(self._flagged)]
        loads: Code = [_assign(name, self._cell(name, ast.Load())) for name in sorted(self._point.live)]
        guard = _when(self._is_at(self._point.number))
        code = [placed(statement, self._first) for statement in (guard, *loads, *flags)]
        code += self._fixed() + self._filled(deepcopy(self._segment.code))
        arguments = [self._split.itself, *self._split.indices, *(choice.name for choice in self._choices)]
        node = ast.FunctionDef(
            name="step",
            args=ast.arguments([], [ast.arg(a) for a in arguments], None, [], [], None, []),
            body=code,
            decorator_list=[],
            lineno=self._point.line,
            col_offset=0,
            end_lineno=self._point.line,
            end_col_offset=0,
        )
        return ast.fix_missing_locations(node)

    def _fixed(self) -> Code:
        """Assignments of the names that never change, as far as the step uses them."""
        used = {name for statement in self._segment.code for name in read_names(statement)}
        needed: Code = []
        for name, statement in reversed(self._split.fixed.items()):
            if name in used:
                used |= set(read_names(statement.value))
                needed.append(deepcopy(statement))
        return needed[::-1]

    def _filled(self, code: Code) -> Code:
        """The code with each exit and each choice replaced by what is done there."""
        filled: Code = []
        for statement in code:
            match statement:
                case Exit(point=point):
                    filled += self._leave(self._split.points[self._split.place[point]], statement)
                case ChoiceMade(choice=choice):
                    filled += self._choose(choice, statement)
                case _:
                    self._fill_parts(statement)
                    filled.append(statement)
        return filled

    def _fill_parts(self, statement: ast.stmt) -> None:
        match statement:
            case ast.If() | ast.While() | ast.For():
                statement.body, statement.orelse = self._filled(statement.body), self._filled(statement.orelse)
            case ast.Match():
                for case in statement.cases:
                    case.body = self._filled(case.body)
            case _:
                pass

    def _choose(self, choice: int, at: ast.stmt) -> Code:
        if not self._choices[choice].values:
            return [placed(_when(ast.Constant(False)), at)]
        value = self._alternative(choice, self._segment.choices[choice])
        code: Code = [_assign(choice_name(choice), value)]
        if choice in self._flagged:
            code.append(_assign(_flag(choice), ast.Constant(True)))
        return [placed(statement, at) for statement in code]

    def _leave(self, point: Point, at: ast.stmt) -> Code:
        """What is live goes to the state, what is no longer live gets its canonical value."""
        code: Code = [_when(self._is_made(choice)) for choice in sorted(self._flagged)]
        for name in sorted(self._point.live | point.live):
            if name in self._point.live & point.live and name not in self._stored:
                continue  # it is as it was
            value = ast.Name(name, ast.Load()) if name in point.live else self._known(self._state.canonical[name])
            code.append(ast.Assign([self._cell(name, ast.Store())], value))
        code.append(ast.Assign([self._counter(ast.Store())], ast.Constant(point.number)))
        code.append(ast.Return())
        return [placed(statement, at) for statement in code]

    def _is_made(self, choice: int) -> ast.expr:
        """The choice was made, or this is the command of its first alternative."""
        made = self._choices[choice]
        first = self._known(made.values[0] if made.values else 0)
        same = ast.Compare(ast.Name(made.name, ast.Load()), [ast.Eq()], [first])
        return ast.BoolOp(ast.Or(), [ast.Name(_flag(choice), ast.Load()), same])

    def _known(self, value: object) -> ast.expr:
        """A value, in the code of the step: a member of an Enum has a name of its own there."""
        if not isinstance(value, Enum) or isinstance(value, int):
            return ast.Constant(int(value) if isinstance(value, IntEnum) else value)  # type: ignore[arg-type]
        name = f"{type(value).__name__}.{value.name}"
        self._objects[name] = CellType(value)
        return ast.Name(name, ast.Load())

    def _is_at(self, point: int) -> ast.expr:
        return ast.Compare(self._counter(ast.Load()), [ast.Eq()], [ast.Constant(point)])

    def _counter(self, context: ast.expr_context) -> ast.expr:
        return self._indexed(self._state.at, context)

    def _cell(self, local: str, context: ast.expr_context) -> ast.expr:
        return self._indexed(self._state.variable(local), context)

    def _indexed(self, variable: str, context: ast.expr_context) -> ast.expr:
        depth = len(self._split.indices)
        node: ast.expr = ast.Attribute(
            ast.Name(self._split.itself, ast.Load()), variable, ast.Load() if depth else context
        )
        for number, (name, offset) in enumerate(zip(self._split.indices, self._state.offsets, strict=True), 1):
            index: ast.expr = ast.Name(name, ast.Load())
            if offset:
                index = ast.BinOp(index, ast.Sub(), ast.Constant(offset))
            node = ast.Subscript(node, index, context if number == depth else ast.Load())
        return node


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _flag(choice: int) -> str:
    return f"{choice_name(choice)}.made"


def _when(test: ast.expr) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(WHEN, ast.Load()), [test], []))
