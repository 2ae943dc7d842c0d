"""Calls of the user's own methods and functions: which arguments they are given, and what is passed at run time."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import Protocol, TypeGuard

from asset.frontends.python.body import Bindings, Body, Evaluation
from asset.frontends.python.holding import Holding
from asset.frontends.python.ir_expressions import has_call
from asset.frontends.python.problems import Rejected
from asset.frontends.python.requests import Argument, FunctionRole, FunctionSummary, Request, is_known, specialised
from asset.frontends.python.sequences import FRESH
from asset.frontends.python.storage import Storage
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Computed,
    Method,
    RangeOf,
    RecordOf,
    Scalar,
    SetOf,
    Static,
    Super,
    TableRef,
    Truth,
    TupleOf,
    Value,
    is_collection,
    tuple_items,
)
from asset.ir import nodes as n
from asset.ir.shapes import LocalShape, TupleShape
from asset.model.decorations import parameters_of_function
from asset.model.syntax_trees import placed
from asset.span import Span

Given = dict[str, tuple[Value, ast.expr]]
"""What each parameter is given, and where."""


def is_users_own(callee: Value) -> TypeGuard[Static | Method]:
    return isinstance(callee, Method) or (isinstance(callee, Static) and isinstance(callee.value, FunctionType))


class FunctionCompiler(Protocol):
    """Compiles the functions that are called."""

    def compiled(self, request: Request, at: Span) -> FunctionSummary:
        """The function's summary; it is compiled unless it was already."""

    def gives_parts(self, function: FunctionType, given: Bindings, caller: Body) -> bool:
        """Whether the function gives something else than a number."""

    def inlined(
        self, function: FunctionType, given: Bindings, caller: Body, place: str
    ) -> tuple[Value | None, FunctionSummary]:
        """The value that the function returns, None if it never does; its statements are emitted in the caller's body.
        Its names are those of the call at that place."""


class Invocations:
    def __init__(
        self, body: Body, evaluation: Evaluation, storage: Storage, holding: Holding, functions: FunctionCompiler
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._storage = storage
        self._holding = holding
        self._functions = functions

    def value(self, callee: Static | Method, node: ast.Call, comes_first: bool) -> Value:
        """What the function returns; one that may return nothing is rejected."""
        function, given = self._arguments(callee, node)
        if self._is_inlined(function, given):
            return self._inlined(function, given, node, comes_first)
        return self._valued(*self._invoked(function, given, node), node)

    def getter(self, function: FunctionType, receiver: Value, node: ast.Attribute) -> Value:
        """The value of a @property of the receiver."""
        if len(names := parameters_of_function(function)) != 1:
            self._body.reject(node, f"the property {node.attr} must take no argument but self")
        given: Given = {names[0]: (receiver, node)}
        if self._is_inlined(function, given):
            return self._inlined(function, given, node, comes_first=False)
        return self._valued(*self._invoked(function, given, node), node)

    def _valued(self, summary: FunctionSummary, call: n.Call, node: ast.Call | ast.Attribute) -> Value:
        if summary.broken:
            raise Rejected
        if summary.refers is not None:
            return Compound(summary.refers, Computed(lambda _leaf, _at, _span: call), 0, ast.unparse(node), alias=False)
        if not summary.gives_value or summary.gives_nothing:
            often = "does not return" if not summary.gives_value else "does not always return"
            what = f"{ast.unparse(node)} is used as a value, but {often} one"
            self._body.reject(node, what, "return a value on every path")
        return Truth(call, summary.gives_truth) if summary.gives_truth else Scalar(call)

    def invoke(
        self, callee: Static | Method, node: ast.Call, role: FunctionRole = FunctionRole.HELPER
    ) -> tuple[FunctionSummary, n.Call]:
        """Compiles the function for these arguments, and calls it."""
        function, given = self._arguments(callee, node)
        return self._invoked(function, given, node, role)

    def _invoked(
        self,
        function: FunctionType,
        given: Given,
        node: ast.Call | ast.Attribute,
        role: FunctionRole = FunctionRole.HELPER,
    ) -> tuple[FunctionSummary, n.Call]:
        arguments: list[Argument] = []
        passed: list[n.Expr] = []
        for name, (value, part) in given.items():
            numbers = self._numbers(value, part)
            passed += numbers
            arguments.append(Argument(name, specialised(value), len(numbers)))
        self._check_order(passed, node)
        span = self._body.span(node)
        summary = self._functions.compiled(Request(function, role, tuple(arguments)), span)
        self._body.summary.includes(summary)
        self._body.has_acted = self._body.has_acted or bool(summary.writes or summary.guards)
        return summary, n.Call(span, summary.number, tuple(passed))

    def _check_order(self, passed: list[n.Expr], node: ast.expr) -> None:
        """Python evaluates arguments as written, a call as its parameters stand: that matters if one has effects."""
        places = [(e.span.line, e.span.column) for e in passed if not isinstance(e, n.Const)]
        if places != sorted(places) and any(has_call(e) for e in passed):
            self._body.reject(node, "these arguments call functions", "write them in the order of the parameters")

    # --- inlining -------------------------------------------------------------------------------------------------

    def _is_inlined(self, function: FunctionType, given: Given) -> bool:
        """Whether it gives a value of several cells."""
        return self._functions.gives_parts(function, {name: value for name, (value, _) in given.items()}, self._body)

    def _inlined(
        self, function: FunctionType, given: Given, node: ast.Call | ast.Attribute, comes_first: bool
    ) -> Value:
        """The value of a function whose statements come before whatever is done with it."""
        held = {name: self._holding.value(value, part) for name, (value, part) in given.items()}
        result, summary = self._functions.inlined(function, held, self._body, f"{node.lineno}:{node.col_offset};")
        if result is None:
            self._body.reject(node, f"{ast.unparse(node)} never returns")
        if (summary.writes or summary.guards) and not comes_first:
            what = f"{ast.unparse(node)} changes the state within an expression"
            self._body.reject(node, what, "assign it to a local first")
        return self._given_back(result, given, held)

    def _given_back(self, result: Value, given: Given, held: Bindings) -> Value:
        """The result; if it is a collection that the function was given, that one, and not the copy of it."""
        if not is_collection(result):
            return result
        assert isinstance(result.shape, LocalShape)
        is_new = result.name == f"{FRESH}{result.shape.kind.value}" and not isinstance(result.shape.item, LocalShape)
        for name, (value, part) in given.items():
            if held[name] == result:
                return value
            if is_collection(value) and value.is_variable and not is_new:
                self._body.collections.sharing.put(value.name, part)
        return result

    # --- arguments ------------------------------------------------------------------------------------------------

    def _arguments(self, callee: Static | Method, node: ast.Call) -> tuple[FunctionType, Given]:
        """The function, and what each of its parameters is given, in the order of evaluation."""
        function = callee.function if isinstance(callee, Method) else callee.value
        assert isinstance(function, FunctionType)
        if inspect.isgeneratorfunction(function):
            what = f"{function.__name__} yields, so a call of it does nothing by itself"
            self._body.reject(node, what, f"in a process, write yield from {ast.unparse(node)}")
        receiver = callee.receiver if isinstance(callee, Method) else None
        positional: list[tuple[Value, ast.expr]] = [] if receiver is None else [(receiver, node.func)]
        for part in node.args:
            if isinstance(part, ast.Starred):
                positional += [(item, part.value) for item in self._unpacked(part)]
            else:
                positional.append((self._evaluation.evaluate(part), part))
        keywords = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                self._body.reject(keyword, "** is not part of the language", "write the arguments one by one")
            keywords[keyword.arg] = (self._evaluation.evaluate(keyword.value), keyword.value)
        try:
            bound = inspect.signature(function, follow_wrapped=False).bind(*positional, **keywords)
        except TypeError as error:
            self._body.reject(node, f"{function.__name__}: {error}")
        return function, self._in_order(function, bound, node)

    def _unpacked(self, star: ast.Starred) -> tuple[Value, ...]:
        """The items of `*values`, of which it is known how many there are."""
        value = self._evaluation.evaluate(star.value)
        items = tuple_items(value)
        if items is not None:
            return items
        has_calls = any(isinstance(part, ast.Call) for part in ast.walk(star.value))
        match value:
            case Compound(shape=TupleShape(items=parts)) if not has_calls:
                count = len(parts)
            case ArrayRef(dims=(count, *_)) if not has_calls:
                pass
            case _:
                what = "it is not known how many arguments this gives"
                self._body.reject(star, what, "write the arguments one by one, or give the function the collection")
        places = (ast.Subscript(star.value, ast.Constant(k), ast.Load()) for k in range(count))
        return tuple(self._evaluation.evaluate(placed(place, star.value)) for place in places)

    def _in_order(self, function: FunctionType, bound: inspect.BoundArguments, node: ast.Call) -> Given:
        result: Given = {}
        for name, parameter in bound.signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                what = f"{function.__name__} takes **, which is not part of the language"
                self._body.reject(node, what, "give it parameters with names")
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                rest = [value for value, _ in bound.arguments.get(name, ())]
                result[name] = (_tuple_of(rest), node)
                continue
            result[name] = bound.arguments.get(name, (self._body.known(parameter.default, node), node))
        return result

    def _numbers(self, value: Value, part: ast.expr) -> list[n.Expr]:
        """What is passed at run time: a number, or the indices of a row."""
        match value:
            case _ if is_known(value):
                return []
            case ArrayRef() | TableRef():
                return list(self._storage.checked_indices(value))
            case TupleOf(items) | RecordOf(items=items):
                return [number for item in items for number in self._numbers(item, part)]
            case Compound():
                return self._compound_numbers(value, part)
            case SetOf() | RangeOf() | Super() | Method():
                self._body.reject(part, "this cannot be passed to a function", "pass numbers, or an Array")
            case _:
                return [self._evaluation.number(value, part)]

    def _compound_numbers(self, value: Compound, part: ast.expr) -> list[n.Expr]:
        """A place is passed as its indices, a value cell by cell."""
        if not value.is_place:
            return self._storage.cells(value, self._body.span(part))
        if value.checks:
            self._body.reject(part, "an item of a Map cannot be passed to a function", "assign it to a local first")
        return list(value.indices)


def _tuple_of(items: Sequence[Value]) -> Value:
    known = [item.value for item in items if isinstance(item, Static)]
    return Static(tuple(known)) if len(known) == len(items) else TupleOf(tuple(items))
