"""Calls: of Python's own functions, of IntEnum classes, and of the user's methods and functions."""

from __future__ import annotations

import ast
import inspect
from abc import abstractmethod
from collections.abc import Callable
from enum import IntEnum
from types import FunctionType
from typing import NoReturn

from asset.frontends.python.body import Argument, Request, Role, Summary
from asset.frontends.python.compounds import is_place
from asset.frontends.python.folds import FOLDS
from asset.frontends.python.intervals import has_call
from asset.frontends.python.names import KNOWN_FUNCTIONS
from asset.frontends.python.points import Points
from asset.frontends.python.problems import Rejected
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    InSlots,
    Itself,
    Method,
    Operation,
    Poison,
    RangeOf,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    Super,
    TableRef,
    TupleOf,
    Value,
)
from asset.ir import nodes as n
from asset.ir.shapes import leaves
from asset.model import Model, Record, at, choose, stb, stb_all, when
from asset.model.records import initial

Given = dict[str, tuple[Value, ast.expr]]


class Calls(Points):
    def call(self, node: ast.Call) -> Value:
        """The value of a call; one that may give nothing is rejected."""
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return self._super(node)
        match self.evaluate(node.func):
            case Static(FunctionType() as word) if word in (when, stb, stb_all):
                self.reject(node, f"{word.__name__}(...) has no value", "make it a statement of its own")
            case Static(FunctionType() as word) if word is choose:
                self.reject(node, "choose stands in a process", "a transition has indices: @transition(x=range(3))")
            case Method(function=method) if method is at:
                return self.is_at(node)
            case Method() as callee if node is self.immediate and self.is_inlined(callee):
                return self.inlined(callee, node)
            case Static(FunctionType()) | Method() as callee:
                return self._valued(*self.invoke(callee, node), node)
            case Operation(value, name):
                return self.operate(value, name, node)
            case Static(type() as cls) if issubclass(cls, IntEnum):
                return self._to_enum(cls, node)
            case Static(type() as cls) if issubclass(cls, Record):
                return self._to_record(cls, node)
            case Static(type() as cls) if cls is set and not node.args:
                return SetOf(())
            case Static(value) if callable(value) and value in FOLDS:
                return self.aggregate(FOLDS[value], node)
            case Static(value) if callable(value) and value in _BUILTINS:
                return _BUILTINS[value](self, node)
            case Poison():
                raise Rejected
            case callee:
                self._reject_callee(callee, node)

    def operate(self, value: Compound, name: str, node: ast.Call) -> Value:
        """The value of a method of a compound value."""
        lowered = self.lowered(value)
        if name not in lowered.VALUES:
            self.reject(node, f"{ast.unparse(node)} has no value", "make it a statement of its own")
        return lowered.VALUES[name](lowered, node)

    def _to_record(self, cls: type[Record], node: ast.Call) -> Value:
        """`Message(kind, to=2)`: a record written out."""
        positional = [(self.evaluate(part), part) for part in node.args]
        if len(positional) > len(cls._fields) or any(keyword.arg not in cls._fields for keyword in node.keywords):
            self.reject(node, f"{cls.__name__} has the parts {', '.join(cls._fields)}")
        given = dict(zip(cls._fields, (value for value, _ in positional), strict=False))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in given:
                self.reject(keyword, f"{keyword.arg} is given twice")
            given[keyword.arg] = self.evaluate(keyword.value)
        return RecordOf(cls, tuple(given[n] if n in given else self._default_part(cls, n, node) for n in cls._fields))

    def _default_part(self, cls: type[Record], name: str, node: ast.Call) -> Value:
        try:
            default = initial(cls._default(name))
        except TypeError as error:
            self.reject(node, str(error))
        if isinstance(default, int | tuple | None):
            return Static(default)
        self.reject(node, f"the default of {cls.__name__}.{name} is no number", f"give it: {name}=...")

    def _reject_callee(self, callee: Value, node: ast.Call) -> NoReturn:
        name = ast.unparse(node.func)
        if isinstance(callee, Static) and callee.value is print:
            self.reject(
                node,
                "print is not part of the language",
                "step through the model as a plain object to see what it does",
            )
        known = ", ".join(KNOWN_FUNCTIONS)
        self.reject(node, f"{name} cannot be called here", f"Python's own functions that can be: {known}")

    def _super(self, node: ast.Call) -> Value:
        function = self.definition.function
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        if "__class__" not in closure or not issubclass(closure["__class__"].cell_contents, Model):
            self.reject(node, "super() outside of a method of a model")
        return Super(closure["__class__"].cell_contents)

    # --- the user's own -------------------------------------------------------------------------------------------

    def _valued(self, summary: Summary, call: n.Call, node: ast.Call | ast.Attribute) -> Value:
        if summary.broken:
            raise Rejected
        if not summary.gives_value or summary.gives_nothing:
            often = "does not return" if not summary.gives_value else "does not always return"
            self.reject(
                node, f"{ast.unparse(node)} is used as a value, but {often} one", "return a value on every path"
            )
        return Scalar(call)

    def call_getter(self, method: Method, node: ast.Attribute) -> Value:
        """The value of a @property."""
        summary, call = self._invoked(method.function, {"self": (Itself(), node)}, node, Role.HELPER)
        return self._valued(summary, call, node)

    def invoke(self, callee: Static | Method, node: ast.Call, role: Role = Role.HELPER) -> tuple[Summary, n.Call]:
        """Compiles the function for these arguments, and calls it."""
        function = callee.function if isinstance(callee, Method) else callee.value
        assert isinstance(function, FunctionType)
        return self._invoked(function, self.arguments_of(callee, node), node, role)

    def arguments_of(self, callee: Static | Method, node: ast.Call) -> Given:
        function = callee.function if isinstance(callee, Method) else callee.value
        assert isinstance(function, FunctionType)
        return self._arguments(function, callee.receiver if isinstance(callee, Method) else None, node)

    def is_inlined(self, callee: Method) -> bool:
        """Whether it is a method of a record that ends in its only `return`: it may give a value of several cells."""
        if not isinstance(callee.receiver, Compound | RecordOf):
            return False
        body = self.unit.sources.definition(callee.function).node.body
        returns = [part for statement in body for part in ast.walk(statement) if isinstance(part, ast.Return)]
        return returns == [body[-1]] and returns[0].value is not None

    @abstractmethod
    def inlined(self, callee: Method, node: ast.Call) -> Value:
        """The value of a method whose statements come before whatever is done with it."""

    def _arguments(self, function: FunctionType, receiver: Value | None, node: ast.Call) -> Given:
        """What each parameter is given, in the order of evaluation."""
        positional: list[tuple[Value, ast.expr]] = [] if receiver is None else [(receiver, node.func)]
        for part in node.args:
            if isinstance(part, ast.Starred):
                self.reject(part, "* is not part of the language here", "write the arguments one by one")
            positional.append((self.evaluate(part), part))
        keywords = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                self.reject(keyword, "** is not part of the language", "write the arguments one by one")
            keywords[keyword.arg] = (self.evaluate(keyword.value), keyword.value)
        try:
            bound = inspect.signature(function).bind(*positional, **keywords)
        except TypeError as error:
            self.reject(node, f"{function.__name__}: {error}")
        return self._in_order(function, bound, node)

    def _in_order(self, function: FunctionType, bound: inspect.BoundArguments, node: ast.Call) -> Given:
        result: Given = {}
        for name, parameter in bound.signature.parameters.items():
            if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
                self.reject(node, f"{function.__name__} takes * or **, which is not part of the language")
            result[name] = bound.arguments.get(name, (Static(parameter.default), node))
        return result

    def _invoked(
        self, function: FunctionType, given: Given, node: ast.Call | ast.Attribute, role: Role
    ) -> tuple[Summary, n.Call]:
        arguments: list[Argument] = []
        passed: list[n.Expr] = []
        for name, (value, part) in given.items():
            numbers = self._numbers(value, part)
            passed += numbers
            arguments.append(Argument(name, _specialised(value), len(numbers)))
        self._check_order(passed, node)
        request = Request(function, role, tuple(arguments))
        summary = self.unit.compiled(request, self.span(node))
        self.summary.includes(summary)
        return summary, n.Call(self.span(node), summary.number, tuple(passed))

    def _check_order(self, passed: list[n.Expr], node: ast.expr) -> None:
        """Python evaluates arguments as written, a call as its parameters stand: that matters where one has effects."""
        places = [(e.span.line, e.span.column) for e in passed if not isinstance(e, n.Const)]
        if places != sorted(places) and any(has_call(e) for e in passed):
            self.reject(node, "these arguments call functions", "write them in the order of the parameters")

    def _numbers(self, value: Value, part: ast.expr) -> list[n.Expr]:
        """What is passed at run time: a number, or the indices of a row."""
        match value:
            case Itself() | Static(None | str() | tuple() | range() | type()):
                return []
            case ArrayRef() | TableRef():
                return list(self.checked_indices(value, part))
            case TupleOf(items) | RecordOf(items=items):
                return [number for item in items for number in self._numbers(item, part)]
            case Compound():
                return self._compound_numbers(value, part)
            case SetOf() | RangeOf() | Super() | Method():
                self.reject(part, "this cannot be passed to a function", "pass numbers, or an Array")
            case _:
                return [self.number(value, part)]

    def _compound_numbers(self, value: Compound, part: ast.expr) -> list[n.Expr]:
        """A place is passed as its indices, a value cell by cell."""
        if not is_place(value):
            return self.cells(value, self.span(part))
        if value.checks:
            self.reject(part, "an item of a Map cannot be passed to a function", "assign it to a local first")
        return list(value.indices)

    # --- Python's own ---------------------------------------------------------------------------------------------

    def _one_argument(self, node: ast.Call) -> ast.expr:
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
            self.reject(node, f"{ast.unparse(node.func)} takes one argument here")
        return node.args[0]

    def _len(self, node: ast.Call) -> Value:
        argument = self._one_argument(node)
        match self.evaluate(argument):
            case ArrayRef(dims=dims):
                return Static(dims[0])
            case TupleOf(items):
                return Static(len(items))
            case Static(tuple() | range() as known):
                return Static(len(known))
            case Static(type() as cls) if issubclass(cls, IntEnum):
                return Static(len(cls))
            case TableRef() as table:
                return Scalar(self.row_length(self.table_shape(table, node), table.indices, node))
            case Compound() as value:
                return Scalar(self.size(value, node))
            case _:
                self.reject(node, "len takes an Array, a Queue, a Set, a tuple or an IntEnum class")

    def _abs(self, node: ast.Call) -> Value:
        value = self.evaluate(self._one_argument(node))
        if isinstance(value, Static) and isinstance(value.value, int):
            return Static(abs(value.value))
        return Scalar(n.Unary(self.span(node), n.UnaryOp.ABS, self.number(value, node.args[0])))

    def _int(self, node: ast.Call) -> Value:
        return Scalar(self.scalar(self._one_argument(node)))

    def _bool(self, node: ast.Call) -> Value:
        test, span = self.condition(self._one_argument(node)), self.span(node)
        return Static(test) if isinstance(test, bool) else Scalar(n.Binary(span, n.BinaryOp.NE, test, n.Const(span, 0)))

    def _range(self, node: ast.Call) -> Value:
        if node.keywords or not 1 <= len(node.args) <= 3:
            self.reject(node, "range takes one to three arguments")
        span = self.span(node)
        parts = [self.scalar(part) for part in node.args]
        start, stop = (n.Const(span, 0), parts[0]) if len(parts) == 1 else (parts[0], parts[1])
        step = parts[2] if len(parts) == 3 else n.Const(span, 1)
        if isinstance(start, n.Const) and isinstance(stop, n.Const) and isinstance(step, n.Const) and step.value:
            return Static(range(start.value, stop.value, step.value))
        return RangeOf(start, stop, step)

    def _misplaced_iterator(self, node: ast.Call) -> Value:
        self.reject(node, f"{ast.unparse(node.func)} can only be iterated over", "use it in a for")

    def _to_enum(self, cls: type[IntEnum], node: ast.Call) -> Value:
        """`Color(x)`: x itself where it is the number of a member, else a model error."""
        value = self.evaluate(self._one_argument(node))
        if isinstance(value, Static) and value.value in [int(member) for member in cls]:
            return Static(cls(value.value))
        expr, span = self.number(value, node.args[0]), self.span(node)
        known, numbers = self.interval(expr), sorted({int(member) for member in cls})
        if known is not None and set(range(known[0], known[1] + 1)) <= set(numbers):
            return Scalar(expr)
        return Scalar(n.Call(span, self.unit.conversion(cls.__name__, tuple(numbers), span), (expr,)))


def _specialised(value: Value) -> Value:
    """What the callee is compiled for: numbers and indices are left out, as they are passed."""
    match value:
        case ArrayRef(variable, name, dims):
            return ArrayRef(variable, name, dims)
        case TableRef(name, data):
            return TableRef(name, data)
        case TupleOf(items):
            return TupleOf(tuple(map(_specialised, items)))
        case RecordOf(cls, items):
            return RecordOf(cls, tuple(map(_specialised, items)))
        case Compound() if is_place(value):
            return Compound(value.shape, value.source, value.leaf, value.name)
        case Compound():
            return Compound(value.shape, InSlots(leaves(value.shape), ()), 0, value.name, alias=False)
        case Itself() | Static(None | str() | tuple() | range() | type()):
            return value
        case _:
            return SlotRef(-1)


_BUILTINS: dict[object, Callable[[Calls, ast.Call], Value]] = {
    len: Calls._len,
    abs: Calls._abs,
    int: Calls._int,
    bool: Calls._bool,
    range: Calls._range,
    enumerate: Calls._misplaced_iterator,
    zip: Calls._misplaced_iterator,
    reversed: Calls._misplaced_iterator,
}
