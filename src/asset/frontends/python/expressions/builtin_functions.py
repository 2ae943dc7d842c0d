"""Calls of Python's own functions, and of IntEnum classes."""

from __future__ import annotations

import ast
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from enum import Enum, IntEnum

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.expressions.folds import FOLDS, Folds
from asset.frontends.python.expressions.subscripts import Subscripts
from asset.frontends.python.ir_expressions import constant
from asset.frontends.python.shapes.unions import Unions
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    RangeOf,
    RecordOf,
    Scalar,
    SetOf,
    Static,
    TableRef,
    TupleOf,
    Value,
)
from asset.frontends.python.views import viewed
from asset.ir import nodes as n
from asset.ir.shapes import Collection, LocalShape, MapShape, RecordShape, UnionShape
from asset.model.symbols import is_symbol


class BuiltinFunctions:
    def __init__(
        self, body: Body, evaluation: Evaluation, compounds: Compounds, subscripts: Subscripts, folds: Folds
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._compounds = compounds
        self._subscripts = subscripts
        self._folds = folds

    def call(self, function: object, node: ast.Call) -> Value | None:
        """The value of the call; None if the language does not have the function."""
        if function in FOLDS:
            return self._folds.aggregate(FOLDS[function], node)
        if function in (math.ceil, math.floor):
            return self._rounded(function, node)
        return _BUILTINS[function](self, node) if function in _BUILTINS else None

    def _rounded(self, function: Callable[[float], int], node: ast.Call) -> Value | None:
        """A fraction that is known now as a whole number."""
        value = self._evaluation.evaluate(self._one_argument(node))
        match value:
            case Static(int() | float() as known):
                return Static(function(known))
            case _:
                return None

    def _one_argument(self, node: ast.Call) -> ast.expr:
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
            self._body.reject(node, f"{ast.unparse(node.func)} takes one argument here")
        return node.args[0]

    def _len(self, node: ast.Call) -> Value:
        argument = self._one_argument(node)
        match self._measured(argument):
            case ArrayRef(dims=dims):
                return Static(dims[0])
            case TupleOf(items):
                self._compounds.order.drop(items)
                return Static(len(items))
            case Static(tuple() | range() | frozenset() | dict() as known):
                return Static(len(known))
            case Static(type() as cls) if issubclass(cls, Enum):
                return Static(len(cls))
            case RangeOf(start, stop, step) if constant(step) in (1, -1):
                span, ends = self._body.span(node), (stop, start) if constant(step) == 1 else (start, stop)
                rounds = n.Binary(span, n.BinaryOp.SUB, *ends)
                return Scalar(n.Binary(span, n.BinaryOp.MAX, rounds, n.Const(span, 0)))
            case TableRef() as table:
                return Scalar(self._subscripts.checked_length(table, node))
            case Compound() as value:
                return Scalar(self._compounds.size(value, node))
            case SetOf() as written:
                return Scalar(self._compounds.size(self._compounds.sequences.plain_set(written.items, node), node))
            case _:
                self._body.reject(node, "len takes an Array, a Queue, a Set, a tuple or an IntEnum class")

    def _measured(self, node: ast.expr) -> Value:
        """What `len` is about; of `d.keys()` and the like, that of which it is a view."""
        view = viewed(node)
        base = None if view is None else self._evaluation.evaluate(view[0])
        match base:
            case Static(dict()) | Compound(shape=MapShape() | LocalShape(kind=Collection.DICT)):
                return base
            case _:
                return self._evaluation.evaluate(node)

    def _abs(self, node: ast.Call) -> Value:
        value = self._evaluation.evaluate(self._one_argument(node))
        if isinstance(value, Static) and isinstance(value.value, int):
            return Static(abs(value.value))
        number = self._evaluation.number(value, node.args[0])
        return Scalar(self._body.draft.uses.of_numbers(n.Unary(self._body.span(node), n.UnaryOp.ABS, number)))

    def _divmod(self, node: ast.Call) -> Value:
        """`divmod(a, b)`: the pair of quotient and remainder."""
        if len(node.args) != 2 or node.keywords:
            self._body.reject(node, "divmod takes two numbers")
        holding, span = self._compounds.holding, self._body.span(node)
        left, right = (holding.index(self._evaluation.scalar(part)) for part in node.args)
        parts = (n.Binary(span, op, left, right) for op in (n.BinaryOp.FLOORDIV, n.BinaryOp.MOD))
        return TupleOf(tuple(Scalar(self._body.draft.uses.of_numbers(part)) for part in parts))

    def _pow(self, node: ast.Call) -> Value:
        if len(node.args) != 2 or node.keywords:
            self._body.reject(node, "pow takes two numbers here", "write a ** b % m")
        power = ast.BinOp(node.args[0], ast.Pow(), node.args[1])
        return self._evaluation.evaluate(ast.copy_location(power, node))

    def _int(self, node: ast.Call) -> Value:
        value = self._evaluation.evaluate(self._one_argument(node))
        if isinstance(value, Static) and isinstance(value.value, float):
            return Static(int(value.value))
        if isinstance(value, Static) and is_symbol(value.value):
            self._body.reject(node, "int takes a number here, no text", "write the number itself")
        return Scalar(self._body.draft.uses.as_number(self._evaluation.number(value, node.args[0])))

    def _bool(self, node: ast.Call) -> Value:
        test, span = self._evaluation.condition(self._one_argument(node)), self._body.span(node)
        return Static(test) if isinstance(test, bool) else Scalar(n.Binary(span, n.BinaryOp.NE, test, n.Const(span, 0)))

    def _range(self, node: ast.Call) -> Value:
        if node.keywords or not 1 <= len(node.args) <= 3:
            self._body.reject(node, "range takes one to three arguments")
        span = self._body.span(node)
        parts = [self._evaluation.scalar(part) for part in node.args]
        start, stop = (n.Const(span, 0), parts[0]) if len(parts) == 1 else (parts[0], parts[1])
        step = parts[2] if len(parts) == 3 else n.Const(span, 1)
        if isinstance(start, n.Const) and isinstance(stop, n.Const) and isinstance(step, n.Const) and step.value:
            return Static(range(start.value, stop.value, step.value))
        return RangeOf(start, stop, step)

    def _list(self, node: ast.Call) -> Value:
        return self._folds.comprehensions.converted(Collection.LIST, node)

    def _tuple(self, node: ast.Call) -> Value:
        return self._folds.comprehensions.converted(Collection.TUPLE, node)

    def _set(self, node: ast.Call) -> Value:
        return self._folds.comprehensions.converted(Collection.SET, node)

    def _dict(self, node: ast.Call) -> Value:
        return self._folds.comprehensions.converted(Collection.DICT, node)

    def _sorted(self, node: ast.Call) -> Value:
        return self._folds.comprehensions.sorted_(node)

    def _isinstance(self, node: ast.Call) -> Value:
        """Whether a record is of one of the classes."""
        if len(node.args) != 2 or node.keywords:
            self._body.reject(node, "isinstance takes a record and a class")
        value, classes = (
            self._compounds.through(self._evaluation.evaluate(node.args[0]), node),
            self._classes(node.args[1]),
        )
        match value:
            case RecordOf(cls=cls):
                self._compounds.order.drop([value])
                return Static(issubclass(cls, classes))
            case Compound(shape=RecordShape(host=host)) if host is not None:
                return Static(issubclass(host, classes))
            case Compound(shape=UnionShape()):
                return Scalar(Unions(self._compounds, value).is_a(classes, self._body.span(node)))
            case _:
                self._body.reject(node, "isinstance tells records apart", "use an IntEnum for kinds of numbers")

    def _classes(self, node: ast.expr) -> tuple[type, ...]:
        match node:
            case ast.Tuple(elts=parts):
                return tuple(cls for part in parts for cls in self._classes(part))
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return (*self._classes(left), *self._classes(right))
        known = self._evaluation.evaluate(node)
        if not isinstance(known, Static) or not isinstance(known.value, type):
            self._body.reject(node, "this is no class")
        return (known.value,)

    def _misplaced_iterator(self, node: ast.Call) -> Value:
        self._body.reject(node, f"{ast.unparse(node.func)} can only be iterated over", "use it in a for")

    def enum_member(self, cls: type[IntEnum], node: ast.Call) -> Value:
        """`Color(x)`: x itself if it is the number of a member, else a model error."""
        value = self._evaluation.evaluate(self._one_argument(node))
        if isinstance(value, Static) and value.value in [int(member) for member in cls]:
            return Static(cls(value.value))
        expr, span = self._evaluation.number(value, node.args[0]), self._body.span(node)
        known, numbers = self._body.bounds_of(expr), sorted({int(member) for member in cls})
        if known is not None and _are_all_numbers(known, numbers):
            return Scalar(expr)
        conversion = self._body.draft.functions.conversion(cls.__name__, tuple(numbers), span)
        return Scalar(n.Call(span, conversion, (expr,)))


def _are_all_numbers(bounds: tuple[int, int], numbers: list[int]) -> bool:
    """Whether each number within the bounds is one of these: counted, as there may be 2**63 within the bounds."""
    low, high = bounds
    return bisect_right(numbers, high) - bisect_left(numbers, low) == high - low + 1


_BUILTINS: dict[object, Callable[[BuiltinFunctions, ast.Call], Value]] = {
    len: BuiltinFunctions._len,
    abs: BuiltinFunctions._abs,
    divmod: BuiltinFunctions._divmod,
    pow: BuiltinFunctions._pow,
    int: BuiltinFunctions._int,
    bool: BuiltinFunctions._bool,
    range: BuiltinFunctions._range,
    list: BuiltinFunctions._list,
    tuple: BuiltinFunctions._tuple,
    set: BuiltinFunctions._set,
    frozenset: BuiltinFunctions._set,
    dict: BuiltinFunctions._dict,
    sorted: BuiltinFunctions._sorted,
    isinstance: BuiltinFunctions._isinstance,
    enumerate: BuiltinFunctions._misplaced_iterator,
    zip: BuiltinFunctions._misplaced_iterator,
    reversed: BuiltinFunctions._misplaced_iterator,
    map: BuiltinFunctions._misplaced_iterator,
}

KNOWN_FUNCTIONS = sorted(getattr(function, "__name__", "") for function in (*FOLDS, *_BUILTINS))
"""What the language has of Python's own functions."""
