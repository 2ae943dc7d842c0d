"""The functions of a process: each step is a method that fires if the process is at the step's point.

A step is made of one part, or of those of two processes that meet (`joining`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import CellType, FunctionType

from asset.model.spans import line_span
from asset.model.steps.liveness import read_names
from asset.model.steps.meeting import Meetings
from asset.model.steps.points import Point, Split
from asset.model.steps.splitting import ChoiceMade, Code, Exit, choice_name, completes
from asset.model.syntax_trees import (
    STEP_MARK,
    WHEN,
    StepDefinition,
    WithoutSelf,
    copied,
    function_from,
    placed,
    stored_names,
)

_PLAIN_TESTS = (ast.Name, ast.Constant, ast.Compare, ast.UnaryOp, ast.expr_context, ast.unaryop, ast.cmpop)
"""What a test of a choice that is known beforehand is made of."""


@dataclass(slots=True)
class Choice:
    """An index of a step: one value for each alternative. Choices on paths that exclude each other share one."""

    name: str
    values: tuple[int, ...]
    """What it ranges over: the alternatives, or their numbers if they are computed."""

    def takes(self, values: tuple[int, ...]) -> bool:
        """Whether a choice with these values can be made by this index, which may get more values for it."""
        if values == self.values:
            return True
        if not all(values == tuple(range(len(values))) for values in (values, self.values)):
            return False
        self.values = max(values, self.values, key=len)
        return True


@dataclass(slots=True)
class Made:
    """How a choice of the text is made: the values of an index that are its alternatives, or their numbers."""

    values: tuple[int, ...]
    is_computed: bool
    index: int = -1
    """Which index of the step it is made by; -1 if there is one alternative only."""


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
    made: Mapping[int, Made]
    """How each choice of the text is made, by its number in the segment."""


def steps(split: Split, state: ProcessState, meetings: Meetings, when: Callable[[object], None]) -> Iterator[BuiltStep]:
    """The steps that the process takes alone, in the order of their points."""
    for point in split.points:
        code = None if point.segment is None else meetings.alone(point.segment.code)
        if code is not None:
            part = Part(split, state, point, code)
            name = f"{state.name}@{point_name(point)}"
            function = built(name, part, part.arguments, part.body(), when)
            yield BuiltStep(point, function, tuple(part.choices), part.made)


def point_name(point: Point) -> str:
    return point.title.rpartition("line ")[2].rstrip(")")


def built(name: str, part: Part, arguments: Iterable[str], body: Code, when: Callable[[object], None]) -> FunctionType:
    """A step, whose first part is given."""
    split, line = part.split, part.point.line
    node = ast.FunctionDef(
        name=name,
        args=ast.arguments([], [ast.arg(a) for a in (split.itself, *arguments)], None, [], [], None, []),
        body=body,
        decorator_list=[],
        lineno=line,
        col_offset=0,
        end_lineno=line,
        end_col_offset=0,
    )
    ast.fix_missing_locations(node)
    function = function_from(node, split.function, {WHEN: CellType(when), **part.objects})
    setattr(function, STEP_MARK, StepDefinition(node, line_span(split.function.__code__.co_filename, line)))
    return function


class Part:
    """What a process does in a step from one of its points. If `narrow` is true, choices that the code requires to be
    made in one way only are no indices."""

    def __init__(self, split: Split, state: ProcessState, point: Point, code: Code, narrow: bool = False) -> None:
        assert point.segment is not None
        self.split, self.point = split, point
        self._state, self._calls = state, point.segment.choices
        self._code = code
        self._first = point.segment.code[0]
        self.made = self._specified()
        self._known: dict[int, int] = {}
        """The only way in which some choices are made."""
        if narrow:
            self._narrow()
        self._stored = stored_names(self._code).keys()
        self.choices: list[Choice] = []
        """Those that are indices of the step."""
        self._share()
        self._flagged = self._choices_not_always_made()
        self.objects: dict[str, CellType] = {}
        """What the code names and the modeller's text does not."""

    @property
    def arguments(self) -> tuple[str, ...]:
        return (*self.split.indices, *(choice.name for choice in self.choices))

    # --- choices --------------------------------------------------------------------------------------------------

    def _choices_not_always_made(self) -> frozenset[int]:
        """The indices that some path of the step does not use: such a path is a transition once only."""
        made = set()
        for statement in self._code:
            if isinstance(statement, ChoiceMade):
                made.add(self.made[statement.choice].index)
            elif any(isinstance(part, Exit) for part in ast.walk(statement)):
                break
        return frozenset(range(len(self.choices))) - made

    def _specified(self) -> dict[int, Made]:
        parts = [n for s in self._code for n in ast.walk(s)]
        result: dict[int, Made] = {}
        for number in sorted({n.choice for n in parts if isinstance(n, ChoiceMade)}):
            call = self._calls[number]
            text = self._text(call)
            values = tuple(range(len(call.args))) if text is None else self._state.alternatives(text)
            result[number] = Made(values, text is None)
        return result

    def _share(self) -> None:
        """Gives each choice the first index that is not of another choice on a path with it."""
        together: dict[int, set[int]] = {number: set() for number in self.made}
        self._met(self._code, frozenset(), together)
        for number, made in self.made.items():
            if number not in self._known:
                made.index = self._index(made.values, {self.made[other].index for other in together[number]})

    def _met(self, code: Code, before: frozenset[int], together: dict[int, set[int]]) -> frozenset[int]:
        """Notes which choices are made on one path; those that may have been made at the end of the code."""
        for statement in code:
            match statement:
                case ChoiceMade(choice=number):
                    for other in before - {number}:
                        together[number].add(other)
                        together[other].add(number)
                    before |= {number}
                case ast.If(body=body, orelse=orelse) | ast.While(body=body, orelse=orelse):
                    before = self._met(body, before, together) | self._met(orelse, before, together)
                case ast.For(body=body):
                    before |= self._met(body, before, together)
                case ast.Match(cases=cases):
                    before |= frozenset[int]().union(*(self._met(case.body, before, together) for case in cases))
        return before if completes(code) else frozenset()

    def _index(self, values: tuple[int, ...], used: Collection[int]) -> int:
        for index, choice in enumerate(self.choices):
            if index not in used and choice.takes(values):
                return index
        taken = {n.id for statement in self._code for n in ast.walk(statement) if isinstance(n, ast.Name)}
        name = "choice" if not self.choices else f"choice{len(self.choices) + 1}"
        while name in taken or name in self.split.indices:
            name += "_"
        self.choices.append(Choice(name, values))
        return len(self.choices) - 1

    def _narrow(self) -> None:
        """Takes out what the code requires of choices at its top, and what does not fulfil it."""
        kept: Code = []
        for statement in self._code:
            number = self._chosen_by(statement)
            if number is None:
                kept.append(statement)
                continue
            test = compile(ast.Expression(_test_of(statement)), "<choice>", "eval")
            made = self.made[number]
            name = choice_name(number)
            values = tuple(value for value in made.values if eval(test, {name: value}))
            self.made[number] = Made(values, made.is_computed)
            if len(values) == 1:
                self._known[number] = values[0]
        self._code = kept

    def _chosen_by(self, statement: ast.stmt) -> int | None:
        """The choice that a `when` is about, if it is about nothing else, and the choice has known values."""
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[test])) if name == WHEN:
                if not all(isinstance(part, _PLAIN_TESTS) for part in ast.walk(test)):
                    return None
                named = {part.id for part in ast.walk(test) if isinstance(part, ast.Name)}
                known = [k for k, made in self.made.items() if choice_name(k) in named and not made.is_computed]
                return known[0] if len(named) == 1 and known else None
        return None

    def _text(self, call: ast.Call) -> str | None:
        """The alternatives as text over the parameters; None if they are computed in the step."""
        texts = [ast.unparse(WithoutSelf(self.split.itself).visit(deepcopy(a))) for a in call.args]
        if len(texts) == 1:
            return texts[0]
        return f"({', '.join(texts)})" if all(self._is_known(argument) for argument in call.args) else None

    def _is_known(self, node: ast.expr) -> bool:
        """Whether the value can be seen from the text alone: a constant, or a member of an enumeration."""
        match node:
            case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
                return True
            case ast.Attribute(value=ast.Name(id=owner)):
                return isinstance(self.split.function.__globals__.get(owner), type)
            case _:
                return False

    def _alternative(self, choice: int, index: ast.expr, call: ast.Call) -> ast.expr:
        """What is chosen."""
        if choice in self._known:
            return self._constant(self._known[choice])
        if not self.made[choice].is_computed:
            return index
        value = deepcopy(call.args[-1])
        for number in reversed(range(len(call.args) - 1)):
            test = ast.Compare(deepcopy(index), [ast.Eq()], [ast.Constant(number)])
            value = ast.IfExp(test, deepcopy(call.args[number]), value)
        return value

    # --- code -----------------------------------------------------------------------------------------------------

    def body(self, then: Code | None = None) -> Code:
        """The code; `then` is what follows where the process has come to its next point, if anything does."""
        flags: Code = [_assign(_flag(index), ast.Constant(False)) for index in sorted(self._flagged)]
        loads: Code = [_assign(name, self._cell(name, ast.Load())) for name in sorted(self.point.live)]
        guard = _when(self._is_at(self.point.number))
        code = [placed(statement, self._first) for statement in (guard, *loads, *flags)]
        return code + self._fixed() + self._filled(copied(self._code), then or [ast.Return()])

    def _fixed(self) -> Code:
        """Assignments of the names that never change, as far as the step uses them."""
        used = {name for statement in self._code for name in read_names(statement)}
        needed: Code = []
        for name, statement in reversed(self.split.fixed.items()):
            if name in used:
                used |= set(read_names(statement.value))
                needed.append(deepcopy(statement))
        return needed[::-1]

    def _filled(self, code: Code, then: Code) -> Code:
        """The code with each exit and each choice replaced by what is done there."""
        filled: Code = []
        for statement in code:
            match statement:
                case Exit(point=point):
                    filled += self._leave(self.split.points[self.split.place[point]], statement, then)
                case ChoiceMade():
                    filled += self._choose(statement)
                case _:
                    self._fill_parts(statement, then)
                    filled.append(statement)
        return filled

    def _fill_parts(self, statement: ast.stmt, then: Code) -> None:
        match statement:
            case ast.If() | ast.While() | ast.For():
                statement.body = self._filled(statement.body, then)
                statement.orelse = self._filled(statement.orelse, then)
            case ast.Match():
                for case in statement.cases:
                    case.body = self._filled(case.body, then)
            case _:
                pass

    def _choose(self, at: ChoiceMade) -> Code:
        made, code = self.made[at.choice], list[ast.stmt]()
        if not made.values:
            return [placed(_when(ast.Constant(False)), at)]
        index: ast.expr = ast.Constant(0)
        if at.choice not in self._known:
            shared = self.choices[made.index]
            index = ast.Name(shared.name, ast.Load())
            if shared.values != made.values:
                code.append(_when(ast.Compare(deepcopy(index), [ast.Lt()], [ast.Constant(len(made.values))])))
        code.append(_assign(choice_name(at.choice), self._alternative(at.choice, index, self._calls[at.choice])))
        if made.index in self._flagged:
            code.append(_assign(_flag(made.index), ast.Constant(True)))
        return [placed(statement, at) for statement in code]

    def _leave(self, point: Point, at: ast.stmt, then: Code) -> Code:
        """What is live goes to the state, what is no longer live gets its canonical value."""
        code: Code = [_when(self._is_used(index)) for index in sorted(self._flagged)]
        for name in sorted(self.point.live | point.live):
            if name in self.point.live & point.live and name not in self._stored:
                continue  # it is as it was
            value = ast.Name(name, ast.Load()) if name in point.live else self._constant(self._state.canonical[name])
            code.append(ast.Assign([self._cell(name, ast.Store())], value))
        code.append(ast.Assign([self._counter(ast.Store())], ast.Constant(point.number)))
        return [placed(statement, at) for statement in (*code, *copied(then))]

    def _is_used(self, index: int) -> ast.expr:
        """A choice was made by the index, or this is the command of its first value."""
        choice = self.choices[index]
        first = self._constant(choice.values[0] if choice.values else 0)
        same = ast.Compare(ast.Name(choice.name, ast.Load()), [ast.Eq()], [first])
        return ast.BoolOp(ast.Or(), [ast.Name(_flag(index), ast.Load()), same])

    def _constant(self, value: object) -> ast.expr:
        """A value, in the code of the step: a member of an Enum has a name of its own there."""
        if not isinstance(value, Enum) or isinstance(value, int):
            return ast.Constant(int(value) if isinstance(value, IntEnum) else value)  # type: ignore[arg-type]
        name = f"{type(value).__name__}.{value.name}"
        self.objects[name] = CellType(value)
        return ast.Name(name, ast.Load())

    def _is_at(self, point: int) -> ast.expr:
        return ast.Compare(self._counter(ast.Load()), [ast.Eq()], [ast.Constant(point)])

    def _counter(self, context: ast.expr_context) -> ast.expr:
        return self._indexed(self._state.at, context)

    def _cell(self, local: str, context: ast.expr_context) -> ast.expr:
        return self._indexed(self._state.variable(local), context)

    def _indexed(self, variable: str, context: ast.expr_context) -> ast.expr:
        depth = len(self.split.indices)
        node: ast.expr = ast.Attribute(
            ast.Name(self.split.itself, ast.Load()), variable, ast.Load() if depth else context
        )
        for number, (name, offset) in enumerate(zip(self.split.indices, self._state.offsets, strict=True), 1):
            index: ast.expr = ast.Name(name, ast.Load())
            if offset:
                index = ast.BinOp(index, ast.Sub(), ast.Constant(offset))
            node = ast.Subscript(node, index, context if number == depth else ast.Load())
        return node


def _test_of(statement: ast.stmt) -> ast.expr:
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return statement.value.args[0]


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _flag(index: int) -> str:
    return f"{choice_name(index)}.made"


def _when(test: ast.expr) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(WHEN, ast.Load()), [test], []))
