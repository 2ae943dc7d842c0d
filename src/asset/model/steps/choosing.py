"""`choose`: nondeterminism in a process, one transition for each alternative."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from asset.model.initial_states import chosen_in_state
from asset.model.state import rejected
from asset.model.syntax_trees import closure_of


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
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.Lambda():
                yield node
            case _:
                pass
