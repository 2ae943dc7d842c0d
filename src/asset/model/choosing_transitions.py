"""`choose` in a transition: each choice becomes one more index of it.

What is chosen from is known beforehand, or is a part of the state: then the index ranges over all that could be in it,
and the transition is enabled for what is in it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import deepcopy
from enum import Enum
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

from asset.errors import ModelRejected
from asset.ir.shapes import (
    ArrayShape,
    BagShape,
    BoundedSetShape,
    MapShape,
    OptionalShape,
    QueueShape,
    RecordShape,
    SetShape,
    Shape,
)
from asset.model.plain_statements import plain_tree_of
from asset.model.spans import definition_span, span_of
from asset.model.steps.choosing import WrittenOut, choices_in, conditional_parts, unclear_place
from asset.model.syntax_trees import MADE, STEP_MARK, WHEN, StepDefinition, WithoutSelf, function_from, placed
from asset.model.transitions import Transition, when
from asset.model.views import key_value

if TYPE_CHECKING:
    from asset.model import Model

_FIRST = "write x = choose(...) as a statement of its own, before any branch or loop"
_REMEDY = "choose among values that are known beforehand or are in the state, and leave some out with when(...)"


def with_choices(transition: Transition, model: Model) -> Transition:
    """The transition with an index for each of its choices."""
    made = _Choosing(transition, model)
    indices = {**transition.specifications, **made.indices, "fair": transition.fair}
    return Transition(made.function(), indices, len(made.indices))


class _Choosing:
    def __init__(self, transition: Transition, model: Model) -> None:
        self._transition, self._model = transition, model
        self._function: FunctionType = transition.function
        self._original = plain_tree_of(self._function)
        self._node = WrittenOut(self._function, model).visit(deepcopy(self._original))
        self._itself = self._node.args.args[0].arg
        self.indices: dict[str, tuple[Any, ...]] = {}
        self._node.body, _ = self._block(self._node.body)

    def function(self) -> FunctionType:
        self._node.decorator_list = []
        self._node.args.args += [ast.arg(name) for name in self.indices]
        ast.fix_missing_locations(self._node)
        made = function_from(self._node, self._function, {WHEN: CellType(when)})
        setattr(made, STEP_MARK, StepDefinition(self._node, definition_span(self._function)))
        return made

    def _block(self, statements: list[ast.stmt]) -> tuple[list[ast.stmt], list[str]]:
        """The statements with an index in the place of each choice, and the indices: all are used on each path."""
        code: list[ast.stmt] = []
        made: list[str] = []
        for position, statement in enumerate(statements):
            calls = self._calls(statement)
            before = [part for earlier in statements[:position] for part in ast.walk(earlier)]
            if calls and any(isinstance(part, ast.Return) for part in before):
                self._reject(calls[0], "choose comes after a return", "choose first, and use it later")
            guards, names = self._statement(statement, calls)
            code += [*(placed(guard, statement) for guard in guards), statement]
            made += names
        return code, made

    def _statement(self, statement: ast.stmt, calls: list[ast.Call]) -> tuple[list[ast.stmt], list[str]]:
        if isinstance(statement, ast.If):
            return self._branches(statement)
        expressions = [part for part in ast.iter_child_nodes(statement) if isinstance(part, ast.expr)]
        if calls and isinstance(statement, ast.For | ast.While | ast.Match | ast.With | ast.Try):
            self._reject(calls[0], "choose in a transition is made once, and not in a loop or a match", _FIRST)
        return self._expressions(statement, expressions)

    def _branches(self, statement: ast.If) -> tuple[list[ast.stmt], list[str]]:
        """A choice of one branch is none of the other, where only its first alternative goes on."""
        guards, made = self._expressions(statement, [statement.test])
        statement.body, then = self._block(statement.body)
        statement.orelse, otherwise = self._block(statement.orelse)
        statement.orelse = [*(placed(self._is_first(name), statement) for name in then), *statement.orelse]
        statement.body = [*(placed(self._is_first(name), statement) for name in otherwise), *statement.body]
        return guards, [*made, *then, *otherwise]

    def _is_first(self, name: str) -> ast.stmt:
        first = self.indices[name][0] if self.indices[name] else 0
        if not isinstance(first, int | str) or isinstance(first, Enum):
            node = next(call for call in self._calls(self._original))
            self._reject(node, f"{name} is chosen in one branch only, and is no number", _FIRST)
        return _when(ast.Compare(ast.Name(name, ast.Load()), [ast.Eq()], [ast.Constant(first)]))

    def _expressions(self, statement: ast.stmt, parts: list[ast.expr]) -> tuple[list[ast.stmt], list[str]]:
        """A statement, or the test of one, with an index in the place of its choice; the guards come before it."""
        calls = [call for part in parts for call in self._calls(part)]
        lazy = {id(call) for e in parts for part in conditional_parts(e) for call in self._calls(part)}
        lazy |= {id(inner) for call in calls for part in call.args for inner in self._calls(part)}
        unclear = next((call for call in calls if id(call) in lazy), None)
        if unclear is not None:
            self._reject(unclear, *unclear_place(unclear, parts, _FIRST))
        guards: list[ast.stmt] = []
        names = []
        for call in calls:
            names.append(self._name(statement, call))
            required, value = self._alternatives(names[-1], call)
            guards += required
            _Replacing(call, value).visit(statement)
        return guards, names

    def _calls(self, part: ast.AST) -> list[ast.Call]:
        return list(choices_in(part, self._function))

    def _name(self, statement: ast.stmt, call: ast.Call) -> str:
        """What the index is called: as the variable that it is assigned to, if it is."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call and MADE not in name:
                pass
            case _:
                name = "choice"
        while name in self.indices or name in self._transition.index_names:
            name += "_"
        return f"{name}_" if name in self._function.__code__.co_varnames else name

    def _alternatives(self, name: str, call: ast.Call) -> tuple[list[ast.stmt], ast.expr]:
        """The guards that say what can be chosen, and what is."""
        if not call.args or call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
            self._reject(call, "choose takes what to choose from", "write choose(a, b), or choose(range(3))")
        index: ast.expr = ast.Name(name, ast.Load())
        shape = self._shape(call.args[0]) if len(call.args) == 1 else None
        if shape is not None:
            return self._from_state(name, shape, call.args[0], call)
        texts = [ast.unparse(WithoutSelf(self._itself).visit(deepcopy(a))) for a in call.args]
        try:
            text = texts[0] if len(texts) == 1 else f"({', '.join(texts)},)"
            self.indices[name] = self._transition.values(name, text, self._model)
            return [], index
        except ModelRejected as rejected:
            if len(texts) == 1:
                self._reject(call, rejected.diagnostics[0].message, _REMEDY)
        self.indices[name] = tuple(range(len(call.args)))
        value = call.args[-1]
        for number in reversed(range(len(call.args) - 1)):
            test = ast.Compare(deepcopy(index), [ast.Eq()], [ast.Constant(number)])
            value = ast.IfExp(test, call.args[number], value)
        return [], value

    def _from_state(
        self, name: str, shape: Shape, collection: ast.expr, call: ast.Call
    ) -> tuple[list[ast.stmt], ast.expr]:
        """A choice among what is in a part of the state."""
        index: ast.expr = ast.Name(name, ast.Load())
        match shape:
            case SetShape(keys) | BagShape(keys) | MapShape(keys):
                every = (key_value(keys, key) for key in keys.all())  # None is stored in one way, of several numbers
                self.indices[name] = tuple(dict.fromkeys(every))
                return [_when(ast.Compare(index, [ast.In()], [deepcopy(collection)]))], deepcopy(index)
            case QueueShape(capacity=size) | BoundedSetShape(capacity=size) | ArrayShape(length=size):
                self.indices[name] = tuple(range(size))
                length = ast.Call(ast.Name("len", ast.Load()), [deepcopy(collection)], [])
                listed = collection
                if isinstance(shape, BoundedSetShape):
                    listed = ast.Call(ast.Name("list", ast.Load()), [collection], [])
                there = _when(ast.Compare(index, [ast.Lt()], [length]))
                return [there], ast.Subscript(listed, deepcopy(index), ast.Load())
            case _:
                self._reject(call, "there is nothing to choose from in this part of the state", _REMEDY)

    def _shape(self, node: ast.expr) -> Shape | None:
        """Of a part of the state; None if it is none."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == self._itself:
                declared: Mapping[str, Any] = self._model._variables
                return declared[attr].shape if attr in declared else None
            case ast.Attribute(value=inner, attr=attr):
                whole = self._shape(inner)
                if isinstance(whole, RecordShape) and attr in whole.names:
                    return whole.items[whole.names.index(attr)]
                return None
            case ast.Subscript(value=inner):
                whole = self._shape(inner)
                items = ArrayShape | MapShape | QueueShape | OptionalShape
                return whole.item if isinstance(whole, items) else None
            case _:
                return None

    def _reject(self, node: ast.expr, message: str, remedy: str) -> NoReturn:
        columns = (node.col_offset, node.end_col_offset or node.col_offset + 1)
        file = self._function.__code__.co_filename
        raise ModelRejected.of(message, span_of(file, node.lineno, node.end_lineno or node.lineno, columns), remedy)


class _Replacing(ast.NodeTransformer):
    def __init__(self, call: ast.Call, value: ast.expr) -> None:
        self._call, self._value = call, value

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return ast.copy_location(self._value, node) if node is self._call else self.generic_visit(node)


def _when(test: ast.expr) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(WHEN, ast.Load()), [test], []))
