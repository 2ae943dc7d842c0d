"""Functions that are given as arguments: `key=` of sorted, min and max, and the function of `map`."""

from __future__ import annotations

import ast

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.values import Value

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
        call = ast.Call(function, [ast.Name(ITEM, ast.Load())], [])
        return evaluation.evaluate(ast.fix_missing_locations(ast.copy_location(call, function)))
    finally:
        body.bound = outside
