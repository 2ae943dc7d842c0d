"""How deeply code may be nested: everything that goes over it calls itself for each level."""

from __future__ import annotations

import ast
import sys

from asset.errors import Diagnostic
from asset.frontends.python.definitions import FunctionDefinition
from asset.frontends.python.problems import Rejected
from asset.model.syntax_trees import parts_of

NESTING = 200
"""Levels of syntax in one function; no person writes more, and a program that does can write a loop instead."""

FRAMES = 5000
"""Python's own limit, raised to this: 25 calls for each level."""


def require_shallow(definition: FunctionDefinition) -> None:
    """Rejects a function that is nested more deeply than whatever goes over it can follow."""
    if sys.getrecursionlimit() < FRAMES:
        sys.setrecursionlimit(FRAMES)
    level: list[ast.AST] = [definition.node]
    for _ in range(NESTING):
        level = [child for node in level for child in parts_of(node)]
        if not level:
            return
    for node in level:
        if isinstance(node, ast.expr | ast.stmt):
            message = f"{definition.node.name} is nested too deeply here: {NESTING} levels are the most"
            raise Rejected(Diagnostic(message, definition.span(node), "write some of it as functions, or as a loop"))
