"""Functions that are given as arguments: `key=` of sorted, min and max, and the function of `map`."""

from __future__ import annotations

import ast

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.values import Value
from asset.model.syntax_trees import placed

ITEM = "the item"
"""The name of what a function is applied to: no name of a user's."""


def applied(function: ast.expr, item: Value, body: Body, evaluation: Evaluation) -> Value:
    """What the function, which may be a lambda, gives for the item."""
    outside = dict(body.names)
    try:
        if isinstance(function, ast.Lambda):
            names = [*function.args.posonlyargs, *function.args.args]
            others = function.args.kwonlyargs or function.args.vararg or function.args.kwarg or function.args.defaults
            if len(names) != 1 or others:
                body.reject(function, "a function of one argument is needed here")
            body.names[names[0].arg] = item
            return evaluation.evaluate(function.body)
        body.names[ITEM] = item
        if isinstance(function, ast.Attribute) and function.attr == "__getitem__":
            found = ast.Subscript(function.value, ast.Name(ITEM, ast.Load()), ast.Load())
            return evaluation.evaluate(placed(found, function))
        call = ast.Call(function, [ast.Name(ITEM, ast.Load())], [])
        return evaluation.evaluate(placed(call, function))
    finally:
        body.bound = outside


def key_of(key: ast.expr, items: ast.expr) -> ast.expr:
    """The function of `key=`; for the keys of a dict, its `get` finds what indexing finds."""
    match key:
        case ast.Attribute(attr="get", value=whole) if ast.unparse(whole) == ast.unparse(items):
            return placed(ast.Attribute(whole, "__getitem__", ast.Load()), key)
        case _:
            return key
