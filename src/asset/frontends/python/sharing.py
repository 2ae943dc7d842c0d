"""Local collections in each other: when one may be changed in place.

In Python a list in a list is the list itself, here a copy. That is the same as long as nobody changes the one and looks
at the other. So a collection that was put into another one does not change any more until its name is bound anew
(`Sharing.conflicts`), and an inner collection changes only if it has no other way to it (`OwnRows`).
"""

from __future__ import annotations

import ast
from collections import defaultdict

Position = tuple[int, int]
_LOOPS = (ast.For, ast.While)
_COUNTING = ("len", "sum", "any", "all")
_COPYING = ("list", "tuple", "set", "sorted", "min", "max", "enumerate")


class Sharing:
    """Where collections are put into others, and where they are changed, by name."""

    def __init__(self) -> None:
        self._put: defaultdict[str, set[Position]] = defaultdict(set)
        self._changed: defaultdict[str, set[Position]] = defaultdict(set)

    def put(self, name: str, node: ast.AST) -> None:
        self._put[name].add(_position(node))

    def changed(self, name: str, node: ast.AST) -> None:
        self._changed[name].add(_position(node))

    def conflicts(self, name: str, function: ast.FunctionDef) -> bool:
        """Whether the collection may be changed after it was put into another one."""
        pairs = ((put, changed) for put in self._put[name] for changed in self._changed[name])
        return any(changed > put or _comes_again(name, put, changed, function) for put, changed in pairs)


def _comes_again(name: str, put: Position, changed: Position, function: ast.FunctionDef) -> bool:
    """Whether a loop leads back from the one to the other without binding the name anew."""
    around = [
        loop for loop in ast.walk(function) if isinstance(loop, _LOOPS) and _has(loop, put) and _has(loop, changed)
    ]
    if not around:
        return False
    innermost = max(around, key=_position)
    bound = [statement for statement in innermost.body if isinstance(statement, ast.Assign) and _binds(statement, name)]
    return not any(_position(statement) < changed for statement in bound)


def _binds(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)


def _position(node: ast.AST) -> Position:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _has(loop: ast.For | ast.While, position: Position) -> bool:
    return _position(loop) <= position <= (loop.end_lineno or 0, loop.end_col_offset or 0)


class OwnRows:
    """Whether the collections in a collection have no other way to them than by its name."""

    def __init__(self, name: str, depth: int, function: ast.FunctionDef) -> None:
        self._name, self._depth, self._function = name, depth, function
        self._itself = function.args.args[0].arg if function.args.args else ""
        self._parents = {id(part): node for node in ast.walk(function) for part in ast.iter_child_nodes(node)}

    def hold(self) -> bool:
        names = [part for part in ast.walk(self._function) if isinstance(part, ast.Name) and part.id == self._name]
        return bool(names) and all(map(self._fits, names))

    def _fits(self, name: ast.Name) -> bool:
        if isinstance(name.ctx, ast.Store):
            bound = self._parents[id(name)]
            return isinstance(bound, ast.Assign) and len(bound.targets) == 1 and _is_fresh(bound.value, self._depth)
        if not isinstance(name.ctx, ast.Load):
            return False
        inner, steps = self._subscripted(name)
        if steps > self._depth:
            return True
        return self._is_stored_fresh(inner, steps) or self._is_only_read(inner, steps)

    def _subscripted(self, node: ast.expr) -> tuple[ast.expr, int]:
        """`name[i][j]` around the name, with the number of indices."""
        steps = 0
        while isinstance(parent := self._parents[id(node)], ast.Subscript) and parent.value is node:
            if isinstance(parent.slice, ast.Slice):
                break
            node, steps = parent, steps + 1
        return node, steps

    def _is_stored_fresh(self, node: ast.expr, steps: int) -> bool:
        """`name[i] = [...]` and `name.append([...])`."""
        match self._parents[id(node)]:
            case ast.Assign(targets=[target], value=value) if target is node and steps:
                return _is_fresh(value, self._depth - steps)
            case ast.Attribute(attr="append") as method:
                call = self._parents[id(method)]
                return (
                    isinstance(call, ast.Call)
                    and len(call.args) == 1
                    and _is_fresh(call.args[0], self._depth - steps - 1)
                )
            case _:
                return False

    def _is_only_read(self, node: ast.expr, steps: int) -> bool:
        match self._parents[id(node)]:
            case ast.Call(func=ast.Name(id=called)) as call if node in call.args:
                return called in _COUNTING or (called in _COPYING and steps == self._depth)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=base))], value=value):
                return value is node and base == self._itself
            case ast.Return() | ast.Compare():
                return True
            case ast.comprehension(target=ast.Name(id=each), iter=items) as clause if items is node:
                return self._are_looked_at(each, self._parents[id(clause)])
            case _:
                return False

    def _are_looked_at(self, name: str, comprehension: ast.AST) -> bool:
        """Whether the elements that a comprehension goes over are indexed, counted, searched or gone over."""
        uses = [part for part in ast.walk(comprehension) if isinstance(part, ast.Name) and part.id == name]
        return all(map(self._is_looked_at, (use for use in uses if isinstance(use.ctx, ast.Load))))

    def _is_looked_at(self, use: ast.Name) -> bool:
        match self._parents[id(use)]:
            case ast.Subscript(value=value):
                return value is use
            case ast.Call(func=ast.Name(id=called)):
                return called in _COUNTING
            case ast.comprehension(target=ast.Name(), iter=items):
                return items is use
            case parent:
                return isinstance(parent, ast.Compare)


def _is_fresh(node: ast.expr, depth: int) -> bool:
    """Whether the expression makes the collection that it gives, and those in it, as deep as that."""
    if depth > 0:
        parts = _items(node)
        return parts is not None and all(_is_fresh(part, depth - 1) for part in parts)
    match node:
        case ast.BinOp(op=ast.Mult() | ast.Add(), left=left, right=right):
            return any(isinstance(part, ast.List | ast.ListComp) for part in (left, right))
        case ast.Call(func=ast.Name(id="list" | "dict" | "set" | "sorted")) | ast.Call(func=ast.Attribute(attr="copy")):
            return True
        case _:
            return isinstance(node, ast.List | ast.Set | ast.Dict | ast.DictComp | ast.ListComp | ast.SetComp)


def _items(node: ast.expr) -> list[ast.expr] | None:
    match node:
        case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
            return None if any(isinstance(item, ast.Starred) for item in items) else items
        case ast.ListComp(elt=item) | ast.SetComp(elt=item):
            return [item]
        case ast.Dict(keys=keys, values=values):
            return None if None in keys else values
        case ast.DictComp(value=value):
            return [value]
        case _:
            return None
