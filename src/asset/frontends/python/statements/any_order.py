"""Loops that do the same in whatever order they go over a set: each round touches what no other round looks at."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Protocol

from asset.model.syntax_trees import names_of_clauses, stored_names

_GATHERING = ("add", "discard")
"""Methods of Sets and Bags that may be called in any order, if nothing else is done with them."""
_LOOKING = ("copy", "count", "empty", "full", "index", "isdisjoint", "issubset", "issuperset", "peek")
"""Methods that change nothing, whatever has them."""


class Known(Protocol):
    """What is known of the function that has the loop."""

    def variable(self, node: ast.expr) -> str | None:
        """The state variable that `self.name` is; None if the expression is none."""

    def is_plain(self, node: ast.Attribute) -> bool:
        """Whether it is a state variable, a parameter or a constant of the model, or a part of a value."""

    def is_value(self, name: str) -> bool:
        """Whether the name denotes no part of the state that may change."""

    def is_pure(self, name: str) -> bool:
        """Whether to call what has the name changes nothing, and reads nothing but its arguments."""


class AnyOrder:
    """Looks at a loop over different elements, each by the name of the loop's variable."""

    def __init__(self, loop: ast.For, function: ast.FunctionDef, known: Known) -> None:
        self._loop, self._function, self._known = loop, function, known
        self._element = loop.target.id if isinstance(loop.target, ast.Name) else None
        self._gathered: dict[str, str] = {}
        """State variables that rounds change anywhere, with what they do."""
        self._own: set[str] = set()
        """State variables that rounds change at the element only."""

    def does_not_matter(self) -> bool:
        if self._element is None or self._loop.orelse or not all(map(self._statement, self._loop.body)):
            return False
        are_apart = not self._gathered.keys() & self._own and all(map(self._reads_its_own, self._loop.body))
        return are_apart and self._names_stay_inside()

    # --- what is changed ----------------------------------------------------------------------------------------------

    def _statement(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id != self._element
        return self._acts(node)

    def _acts(self, node: ast.stmt) -> bool:
        match node:
            case ast.Pass() | ast.Continue():
                return True
            case ast.If(body=body, orelse=orelse):
                return all(map(self._acts, (*body, *orelse)))
            case ast.Assign(targets=[target]) | ast.Delete(targets=[target]):
                return self._is_own(target)
            case ast.AugAssign(target=ast.Subscript() as target):
                return self._is_own(target)
            case ast.AugAssign(target=target, op=ast.Add(), value=ast.Constant(value=int() as number)):
                return number >= 0 and self._gathers(target, "+=")
            case ast.Expr(ast.Call(func=ast.Attribute(value=target, attr=method), keywords=[])):
                return self._is_own(target) or (method in _GATHERING and self._gathers(target, method))
            case _:
                return False

    def _is_own(self, target: ast.expr) -> bool:
        """Whether it is `self.name[element]`, or a part of that."""
        match target:
            case ast.Subscript(value=base, slice=ast.Name(id=index)) if index == self._element:
                name = self._known.variable(base)
                self._own |= {name} if name else set()
                return name is not None
            case ast.Attribute(value=inner) | ast.Subscript(value=inner):
                return self._is_own(inner)
            case _:
                return False

    def _gathers(self, target: ast.expr, how: str) -> bool:
        name = self._known.variable(target)
        return name is not None and self._gathered.setdefault(name, how) == how

    # --- what is read -------------------------------------------------------------------------------------------------

    def _reads_its_own(self, node: ast.AST) -> bool:
        """Whether nothing in it looks at what another round changes."""
        match node:
            case ast.Expr(ast.Call(func=ast.Attribute(value=target), args=given)):
                return (self._is_changed(target) or self._reads_its_own(target)) and all(
                    map(self._reads_its_own, given)
                )
            case ast.AugAssign(target=target, value=value) if self._is_changed(target):
                return self._reads_its_own(value)
            case ast.Subscript(value=base, slice=ast.Name(id=index)) if index == self._element:
                return (self._known.variable(base) if isinstance(base, ast.Attribute) else None) in self._own or (
                    self._reads_its_own(base)
                )
            case ast.Attribute() if self._known.variable(node) in self._gathered.keys() | self._own:
                return False
            case ast.Attribute() if not self._known.is_plain(node):
                return False
            case ast.Call(func=ast.Attribute(value=target, attr=method), args=given) if method in _LOOKING:
                return all(map(self._reads_its_own, (target, *given)))
            case ast.Call(func=function):
                named = isinstance(function, ast.Name) and self._known.is_pure(function.id)
                return named and all(map(self._reads_its_own, (*node.args, *node.keywords)))
            case ast.Name(id=name, ctx=ast.Load()):
                return self._known.is_value(name)
            case ast.Lambda() | ast.NamedExpr():
                return False
            case _:
                return all(map(self._reads_its_own, ast.iter_child_nodes(node)))

    def _is_changed(self, target: ast.expr) -> bool:
        return self._known.variable(target) in self._gathered

    def _names_stay_inside(self) -> bool:
        """Whether what is assigned to a name is used in that round only."""
        stored = set(stored_names(self._loop.body))
        first: dict[str, bool] = {}
        for part in _in_order(self._loop.body):
            first.setdefault(part.id, isinstance(part.ctx, ast.Store))
        is_read = any(self._is_read(self._function, name) for name in (*stored, self._element))
        return not is_read and all(first[name] for name in stored)

    def _is_read(self, node: ast.AST, name: str | None) -> bool:
        """Whether the name is read outside of the loop, where it is not bound anew."""
        match node:
            case _ if node is self._loop:
                return False
            case ast.For(target=ast.Name(id=bound), iter=items) if bound == name:
                return self._is_read(items, name)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() if name in names_of_clauses(node):
                return self._is_read(node.generators[0].iter, name)
            case ast.Name(id=used, ctx=ast.Load()):
                return used == name
            case _:
                return any(self._is_read(part, name) for part in ast.iter_child_nodes(node))


def _in_order(statements: Iterable[ast.stmt]) -> Iterator[ast.Name]:
    """The names in the order of evaluation: those that are assigned come after the value."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=targets, value=value):
                parts: list[ast.AST] = [value, *targets]
            case ast.If(test=test, body=body, orelse=orelse):
                yield from (part for part in ast.walk(test) if isinstance(part, ast.Name))
                yield from _in_order((*body, *orelse))
                continue
            case _:
                parts = [statement]
        yield from (part for each in parts for part in ast.walk(each) if isinstance(part, ast.Name))
