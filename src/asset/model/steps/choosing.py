"""`choose`: nondeterminism in a process, one transition for each alternative."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from types import FunctionType, ModuleType
from typing import Any

from asset.model.initial_states import chosen_in_state
from asset.model.state import rejected
from asset.model.syntax_trees import WithoutSelf, closure_of

_MOST_WRITTEN_OUT = 64
_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


def choose(*alternatives: Any) -> Any:
    """One of the values: in a transition or a process each in a transition of its own, in `state()` each in an initial
    state.

    `choose(a, b)` lists them; `choose(range(n))` takes what can be iterated over: a range, a tuple, an Enum class; in a
    transition also a part of the state. When it fires, nothing calls this function: its alternatives are indices.
    """
    try:
        return chosen_in_state(alternatives)
    except LookupError:
        raise rejected(
            "choose() outside of a transition, a process and state(): there is nothing that could choose",
            "use it in a method with @transition or @process, and pass what it gives",
        ) from None


def denoted(node: ast.expr, function: FunctionType) -> object:
    """What a name, or a name in a module, means in the function; None if that is not known."""
    match node:
        case ast.Name(id=name):
            return closure_of(function).get(name, function.__globals__.get(name))
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            module = function.__globals__.get(name)
            return getattr(module, attribute, None) if isinstance(module, ModuleType) else None
        case _:
            return None


def choices_in(node: ast.AST, function: FunctionType) -> Iterator[ast.Call]:
    """The calls of `choose` below the node."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and denoted(part.func, function) is choose:
            yield part


class WrittenOut(ast.NodeTransformer):
    """`[choose(0, 1) for _ in range(n)]` with its items one by one, so that each choice has a place of its own.

    What it runs over is known beforehand, as numbers; a comprehension of another kind is left as it is.
    """

    def __init__(self, function: FunctionType, model: Any) -> None:
        self._function = function
        self._itself = function.__code__.co_varnames[0]
        names = {**vars(builtins), **function.__globals__, **closure_of(function)}
        self._scope: Mapping[str, object] = {**names, **vars(type(model)), **model.parameters}

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        self.generic_visit(node)
        if next(choices_in(node.elt, self._function), None) is None:
            return node
        match node.generators:
            case [ast.comprehension(target=ast.Name(id=name), iter=iterated, ifs=[], is_async=0)]:
                rounds = self._rounds(iterated)
            case _:
                return node
        if rounds is None:
            return node
        items = [_Known(name, number).visit(deepcopy(node.elt)) for number in rounds]
        return ast.copy_location(ast.List(items, ast.Load()), node)

    def _rounds(self, iterated: ast.expr) -> list[int] | None:
        """The numbers that it runs over, if that is known and they are few."""
        text = ast.unparse(WithoutSelf(self._itself).visit(deepcopy(iterated)))
        try:
            known = eval(text, {**self._scope})
        except Exception:  # of the state, or of local variables
            return None
        if not isinstance(known, range | tuple) or len(known) > _MOST_WRITTEN_OUT:
            return None
        return list(known) if all(type(number) is int for number in known) else None


class _Known(ast.NodeTransformer):
    """A name as the number that it is."""

    def __init__(self, name: str, number: int) -> None:
        self._name, self._number = name, number

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Constant(self._number), node) if node.id == self._name else node


def unclear_place(call: ast.Call, expressions: Iterable[ast.expr], otherwise: str) -> tuple[str, str]:
    """What is wrong with a choice that may be made several times or not at all, and the remedy."""
    comprehensions = [e for outer in expressions for e in ast.walk(outer) if isinstance(e, _COMPREHENSIONS)]
    if any(call in ast.walk(comprehension) for comprehension in comprehensions):
        what = "choose is in a comprehension of which it is not known how often it chooses"
        return what, "write [choose(...) for _ in range(n)], where n is a number or a parameter"
    return "choose stands where it may not be evaluated", otherwise


def conditional_parts(expression: ast.expr) -> Iterator[ast.AST]:
    """The parts of the expression that are evaluated only sometimes, or more than once."""
    for node in ast.walk(expression):
        match node:
            case ast.IfExp(body=body, orelse=orelse):
                yield from (body, orelse)
            case ast.BoolOp(values=values):
                yield from values[1:]
            case ast.Compare(comparators=comparators):
                yield from comparators[1:]
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp():
                first, *others = node.generators  # what the first clause runs over is evaluated once
                yield from (first.target, *first.ifs, *others)
                yield from (part for part in ast.iter_child_nodes(node) if part not in node.generators)
            case ast.Lambda():
                yield node
            case _:
                pass
