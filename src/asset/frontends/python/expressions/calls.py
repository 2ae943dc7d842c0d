"""Calls: what is called decides what is done."""

from __future__ import annotations

import ast
from enum import IntEnum
from types import FunctionType
from typing import NoReturn

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.expressions.builtin_functions import KNOWN_FUNCTIONS, BuiltinFunctions
from asset.frontends.python.expressions.invocations import Invocations
from asset.frontends.python.expressions.process_points import ProcessPoints
from asset.frontends.python.ir_expressions import is_boolean
from asset.frontends.python.problems import Rejected
from asset.frontends.python.values import Method, Operation, Poison, RecordOf, Scalar, Static, Super, Value
from asset.ir import nodes as n
from asset.model import Model, Record, at, choose, implies, stb, stb_all, when
from asset.model.records import initial
from asset.model.state import has_parts_with_names
from asset.model.symbols import is_symbol
from asset.model.temporal_words import FormulaWord

REMEDIES = {
    "Counter": "count in a dict: d[x] = d.get(x, 0) + 1",
    "defaultdict": "use a dict: d[x] = d.get(x, 0) + 1",
    "deque": "use a list, or a Queue in the state",
    "reduce": "write a loop, or sum, any, all, min or max",
    "prod": "write a loop in a method",
    "next": "write x = next((x for x in xs if ...), None) with one for; min(xs) or choose(xs) take one of a set",
    "iter": "write a for loop",
    "bin": "write a loop in a method",
    "attrgetter": "write lambda x: x.name",
    "itemgetter": "write lambda x: x[0]",
    "type": "write isinstance(x, Class)",
    "hasattr": "write isinstance(x, Class)",
    "getattr": "write x.name, or match on the class",
    "round": "the language has integers only: use //",
    "ceil": "the language has integers only: write -(-a // b)",
    "floor": "the language has integers only: write a // b",
    "sqrt": "the language has integers only",
}
"""What to do instead of some functions of Python's own."""


class Calls:
    def __init__(
        self,
        body: Body,
        evaluation: Evaluation,
        invocations: Invocations,
        builtins: BuiltinFunctions,
        compounds: Compounds,
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._invocations = invocations
        self._builtins = builtins
        self._compounds = compounds
        self._points = ProcessPoints(body, evaluation)

    def call(self, node: ast.Call, comes_first: bool = False) -> Value:
        """The value of a call; one that may give nothing is rejected.

        If it `comes_first`, what it changes is changed before anything else is done.
        """
        match self._evaluation.evaluate(node.func):
            case Static(word) if word is super and not node.args:
                return self._super(node)
            case Static(FunctionType() as word) if word in (when, stb, stb_all):
                self._body.reject(node, f"{word.__name__}(...) has no value", "make it a statement of its own")
            case Static(FunctionType() as word) if word is choose:
                remedy = "choose in the transition itself, or in a process, and pass what it gives"
                self._body.reject(node, "choose stands in a transition or in a process", remedy)
            case Static(word) if word is implies:
                return self._implication(node)
            case Method(function=method) if method is at:
                return self._points.is_at(node)
            case Static(FunctionType()) | Method() as callee:
                return self._invocations.value(callee, node, comes_first)
            case Operation() as operation:
                return self._operate(operation, node, comes_first)
            case Static(type() as cls) if issubclass(cls, IntEnum):
                return self._builtins.enum_member(cls, node)
            case Static(type() as cls) if issubclass(cls, Record):
                return self._record(cls, node)
            case Poison():
                raise Rejected
            case Static(function) if callable(function):
                value = self._builtins.call(function, node)
                return self._reject_callee(function, node) if value is None else value
            case callee:
                self._reject_callee(callee, node)

    def _implication(self, node: ast.Call) -> Value:
        """`implies(a, b)` of one state."""
        if len(node.args) != 2 or node.keywords or any(isinstance(part, ast.Starred) for part in node.args):
            self._body.reject(node, "implies takes two conditions", "write implies(a, b)")
        span = self._body.span(node)
        tests = [self._evaluation.condition(part) for part in node.args]
        left, right = (n.Const(span, int(test)) if isinstance(test, bool) else test for test in tests)
        if not is_boolean(right, self._body.draft.variables):
            right = n.Binary(span, n.BinaryOp.NE, right, n.Const(span, 0))

        def implied(held: list[n.Expr]) -> n.Expr:
            return n.Or(span, (n.Unary(span, n.UnaryOp.NOT, held[0]), held[1]))

        return Scalar(self._compounds.order.once([left, right], implied, span))

    def _operate(self, operation: Operation, node: ast.Call, comes_first: bool) -> Value:
        """The value of a method of a compound value."""
        lowered = self._compounds.lowered(operation.value)
        if operation.name in lowered.VALUES:
            return lowered.VALUES[operation.name](lowered, node)
        if operation.name not in lowered.TAKES:
            self._body.reject(node, f"{ast.unparse(node)} has no value", "make it a statement of its own")
        if not comes_first:
            what = f"{ast.unparse(node.func)} changes the state within an expression"
            self._body.reject(node, what, "assign it to a local first")
        return lowered.TAKES[operation.name](lowered, node)

    def _record(self, cls: type[Record], node: ast.Call) -> Value:
        """`Message(kind, to=2)`: a record written out."""
        positional = [self._evaluation.evaluate(part) for part in node.args]
        if len(positional) > len(cls._fields) or any(keyword.arg not in cls._fields for keyword in node.keywords):
            self._body.reject(node, f"{cls.__name__} has the parts {', '.join(cls._fields)}")
        given = dict(zip(cls._fields, positional, strict=False))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in given:
                self._body.reject(keyword, f"{keyword.arg} is given twice")
            given[keyword.arg] = self._evaluation.evaluate(keyword.value)
        parts = (given[name] if name in given else self._default_part(cls, name, node) for name in cls._fields)
        return RecordOf(cls, tuple(parts))

    def _default_part(self, cls: type[Record], name: str, node: ast.Call) -> Value:
        try:
            default = initial(cls._default(name))
        except TypeError as error:
            self._body.reject(node, str(error))
        if isinstance(default, int | tuple | None) or is_symbol(default):
            return self._body.known(default, node)
        self._body.reject(node, f"the default of {cls.__name__}.{name} is no number", f"give it: {name}=...")

    def _reject_callee(self, callee: object, node: ast.Call) -> NoReturn:
        if callee is print:
            remedy = "step through the model as a plain object to see what it does"
            self._body.reject(node, "print is not part of the language", remedy)
        owner = getattr(callee, "__self__", callee)
        if "random" in (getattr(callee, "__module__", None), type(owner).__module__):
            remedy = f"every way is explored: write {_choosing(node)}, which makes a transition for each of them"
            self._body.reject(node, f"{ast.unparse(node.func)} would choose one of several ways", remedy)
        known = REMEDIES.get(
            getattr(callee, "__name__", ""), f"Python's own functions that can be: {', '.join(KNOWN_FUNCTIONS)}"
        )
        if isinstance(callee, type) and has_parts_with_names(callee):
            known = f"make it a record: class {callee.__name__}(Record)"
        if isinstance(callee, FormulaWord):
            what = f"{callee.name}(...) is part of a formula, and this is about a state"
            self._body.reject(node, what, "write it in a method with @temporal or @assume")
        self._body.reject(node, f"{ast.unparse(node.func)} cannot be called here", known)

    def _super(self, node: ast.Call) -> Value:
        closure = self._body.definition.closure
        if "__class__" not in closure or not issubclass(closure["__class__"].cell_contents, Model):
            self._body.reject(node, "super() outside of a method of a model")
        return Super(closure["__class__"].cell_contents)


def _choosing(node: ast.Call) -> str:
    """A call of a function of `random` as one of `choose`."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    given = [ast.unparse(part) for part in node.args]
    match name, given:
        case "randint", [low, high]:
            return f"choose(range({low}, {high} + 1))"
        case "randrange", [*_]:
            return f"choose(range({', '.join(given)}))"
        case "choice", [among]:
            return f"choose({among})"
        case "random", []:
            return "choose(True, False)"
        case _:
            return "choose(…)"
