"""`keys()`, `values()` and `items()` of dicts and Maps: in Python they change with what they are views of."""

from __future__ import annotations

import ast

VIEWS = ("keys", "values", "items")


def viewed(node: ast.expr) -> tuple[ast.expr, str] | None:
    """Of `d.keys()` and the like, as they are written: what it is a view of, and which."""
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr=what), args=[], keywords=[]) if what in VIEWS:
            return base, what
        case _:
            return None
