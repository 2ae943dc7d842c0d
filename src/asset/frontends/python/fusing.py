"""Lists that are only counted, tested and iterated over: what makes them is put where they are used.

A list of messages has room for as many as there could be, which takes much code. `xs = [e for x in self.sent if c]`
that is only used as `len(xs)`, `not xs`, `max(xs)` or `for y in xs` of a comprehension, before anything changes, needs
no room: `xs` becomes the number of its items, and what iterates over it iterates over `self.sent`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Protocol, TypeVar

from asset.frontends.python.definitions import FunctionDefinition
from asset.frontends.python.inlining import MARK
from asset.model.syntax_trees import Substituting, names_of_clauses

N = TypeVar("N", bound=ast.AST)
_FOLDS = ("sum", "any", "all", "min", "max")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Known(Protocol):
    """What is known of the function that makes the list."""

    def is_pure(self, part: ast.Call | ast.Attribute) -> bool:
        """Whether it is known that a call, or the reading of an attribute, changes nothing."""

    def variable(self, node: ast.expr) -> str | None:
        """The state variable that `self.name` is; None if the expression is none."""

    def is_number(self, name: str) -> bool:
        """Whether the name denotes a number or a constant, and no part of the state."""


def fused(
    statement: ast.stmt, rest: Sequence[ast.stmt], definition: FunctionDefinition, known: Known
) -> tuple[ast.stmt, list[ast.stmt]] | None:
    """The statement, if it makes such a list, and those after it, without the list; None if it makes none."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.ListComp() as made):
            pass
        case _:
            return None
    free = {part.id for part in ast.walk(made) if isinstance(part, ast.Name)} - names_of_clauses(made)
    stores: Counter[str] = definition.stores
    if stores[name] != 1 or free & _bound(rest) or _has_calls(made, known) or _makes_others(made):
        return None
    if _loads([definition.node], name) != _loads(rest, name):
        return None
    uses = _Uses(name, known, made)
    if not uses.are_unchanged(rest):
        return None
    rewriting = _Rewriting(name, made)
    after = [rewriting.visit(deepcopy(each)) for each in rest]
    if rewriting.left:
        return None
    counted = ast.Assign([ast.Name(name, ast.Store())], _counted(made))
    return _placed(counted, statement), after


def _makes_others(made: ast.ListComp) -> bool:
    """Whether there are collections in it, which can be made only where statements can stand."""
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.List, ast.Dict)
    return any(isinstance(part, kinds) for part in ast.walk(made) if part is not made)


def _counted(made: ast.ListComp) -> ast.expr:
    """The number of items; each is looked at, as what is wrong with one is found when the list is made."""
    generators = deepcopy(made.generators)
    if not isinstance(made.elt, ast.Name):
        generators[-1].ifs.append(_placed(ast.Compare(made.elt, [ast.Eq()], [deepcopy(made.elt)]), made.elt))
    return _placed(ast.Call(ast.Name("sum", ast.Load()), [ast.GeneratorExp(ast.Constant(1), generators)], []), made)


@dataclass
class _Uses:
    """Whether nothing that the list is made of changes before its last use."""

    name: str
    known: Known
    made: ast.ListComp
    changed: bool = False
    used_later: bool = False

    @cached_property
    def read(self) -> frozenset[str] | None:
        """The state variables that the list is made of; None if they cannot be told apart from others."""
        bases = [part for part in ast.walk(self.made) if isinstance(part, ast.Attribute)]
        found = {id(part.value): self.known.variable(part) for part in bases}
        own = names_of_clauses(self.made)
        names = [part for part in ast.walk(self.made) if isinstance(part, ast.Name) and part.id not in own]
        if any(found.get(id(name)) is None and not self.known.is_number(name.id) for name in names):
            return None
        return frozenset(variable for variable in found.values() if variable is not None)

    def are_unchanged(self, statements: Sequence[ast.stmt]) -> bool:
        for statement in statements:
            self._statement(statement)
        return not self.used_later

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.If(test=test):
                self._expression(test)
                before, after = self.changed, False
                for block in (statement.body, statement.orelse):
                    self.changed = before
                    self.are_unchanged(block)
                    after = after or (self.changed and not _leaves(block))
                self.changed = after
            case ast.Expr(value=ast.Call(func=ast.Name(id="when"), args=[condition])):
                self._expression(condition)
            case ast.Assign(targets=targets, value=value):
                self._expression(value)
                for target in targets:
                    self._expression(target)
                    self.changed = self.changed or self._changes(target)
            case ast.Return(value=value):
                self._expression(value)
            case ast.Pass() | ast.Break() | ast.Continue():
                pass
            case _:
                self.changed = True
                self._expression(statement)

    def _changes(self, target: ast.expr) -> bool:
        """Whether assigning to it may change what the list is made of."""
        if isinstance(target, ast.Name):
            return False
        variable = self.known.variable(target)
        while variable is None and isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
            variable = self.known.variable(target)
        return self.read is None or variable is None or variable in self.read

    def _expression(self, node: ast.AST | None) -> None:
        if node is None:
            return
        changes = _has_calls(node, self.known)
        self.used_later = self.used_later or ((self.changed or changes) and _loads([node], self.name) > 0)
        self.changed = self.changed or changes


def _leaves(block: Sequence[ast.stmt]) -> bool:
    """Whether what comes after the block is not run after it."""
    return bool(block) and isinstance(block[-1], ast.Return | ast.Raise | ast.Break | ast.Continue)


class _Rewriting(ast.NodeTransformer):
    """Puts what makes the list where it is used; `left` says whether it is used in another way as well."""

    def __init__(self, name: str, made: ast.ListComp) -> None:
        self._name, self._made = name, made
        self._numbers = count(1)
        self.left = False

    def visit_Name(self, node: ast.Name) -> ast.AST:
        self.left = self.left or node.id == self._name
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]) if name == self._name:
                return node.args[0]
            case ast.Call(func=ast.Name(id=fold), args=[ast.Name(id=name), *more]) if (
                fold in _FOLDS and name == self._name and not more
            ):
                made = self._fresh()
                node.args = [_placed(ast.GeneratorExp(made.elt, made.generators), node.args[0])]
                node.keywords = [self.visit(keyword) for keyword in node.keywords]
                return node
            case ast.Call(func=ast.Name(id="when"), args=[condition]):
                node.args = [self._tested(condition)]
                return node
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self._tested(node.test)
        node.body, node.orelse = ([self.visit(s) for s in block] for block in (node.body, node.orelse))
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not):
            node.operand = self._tested(node.operand)
            return node
        return self.generic_visit(node)

    def _tested(self, node: ast.expr) -> ast.expr:
        """A condition: the number of items is as good as the list."""
        match node:
            case ast.Name(id=name) if name == self._name:
                return _placed(ast.Compare(node, [ast.Gt()], [ast.Constant(0)]), node)
            case ast.BoolOp():
                node.values = [self._tested(value) for value in node.values]
                return node
            case _:
                found: ast.expr = self.visit(node)
                return found

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._comprehension(node)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # type: ignore[assignment]

    def _comprehension(self, node: ast.AST) -> ast.AST:
        assert isinstance(node, _COMPREHENSIONS)
        clauses: list[ast.comprehension] = []
        items: dict[str, ast.expr] = {}
        for clause in node.generators:
            match clause:
                case ast.comprehension(target=ast.Name(id=target), iter=ast.Name(id=name)) if name == self._name:
                    self.left = self.left or _binds(node, target) > 1
                    made = self._fresh()
                    items[target] = made.elt
                    clauses += made.generators
                    clauses[-1].ifs += clause.ifs
                case _:
                    clauses.append(clause)
        node.generators = clauses
        if self.left:
            return node
        return self.generic_visit(Substituting(items).visit(node) if items else node)

    def _fresh(self) -> ast.ListComp:
        """The comprehension with names of its own, which no other name can hide."""
        made = deepcopy(self._made)
        suffix = f"{MARK}{self._name}{next(self._numbers)}"
        return Substituting({name: ast.Name(name + suffix, ast.Load()) for name in names_of_clauses(made)}).visit(made)  # type: ignore[no-any-return]


def _bound(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that get a value in them, even in a comprehension only, where what is put there would be hidden."""
    found: set[str | None] = set()
    for part in _all(nodes):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.arg(arg=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.MatchMapping(rest=name):
                found.add(name)
    return {name for name in found if name is not None}


def _binds(node: ast.AST, name: str) -> int:
    """How often the name gets a value in it."""
    names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    return [*names, *(part.arg for part in ast.walk(node) if isinstance(part, ast.arg))].count(name)


def _loads(nodes: Sequence[ast.AST], name: str) -> int:
    return sum(
        isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load) for part in _all(nodes)
    )


def _all(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    return (part for node in nodes for part in ast.walk(node))


def _has_calls(node: ast.AST, known: Known) -> bool:
    """Whether it calls something that may change the state."""
    return any(isinstance(part, ast.Call | ast.Attribute) and not known.is_pure(part) for part in ast.walk(node))


def _placed(made: N, at: ast.AST) -> N:
    return ast.fix_missing_locations(ast.copy_location(made, at))
