"""Names, attributes and subscripts: what they refer to."""

from __future__ import annotations

import ast
import builtins
from abc import abstractmethod
from collections.abc import Iterable
from difflib import get_close_matches
from enum import Enum, IntEnum
from inspect import getattr_static
from types import FunctionType, ModuleType
from typing import NoReturn

from asset.frontends.python.compounds import Compounds
from asset.frontends.python.intervals import has_call, is_plain
from asset.frontends.python.problems import Rejected
from asset.frontends.python.tables import Ragged, Shape, shape_of
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    Itself,
    Method,
    Poison,
    RecordOf,
    Scalar,
    SlotRef,
    Static,
    Super,
    TableRef,
    TupleOf,
    Value,
    constant,
)
from asset.ir import nodes as n
from asset.model import Model, Process, Record, Transition

KNOWN_FUNCTIONS = [
    "abs",
    "all",
    "any",
    "bool",
    "enumerate",
    "int",
    "len",
    "max",
    "min",
    "range",
    "reversed",
    "sum",
    "zip",
]
"""What the language has of Python's own functions."""


def suggestion(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, list(known), n=1)
    return f"did you mean '{close[0]}'?" if close else ""


class Names(Compounds):
    # --- names ----------------------------------------------------------------------------------------------------

    def name(self, node: ast.Name) -> Value:
        value = self.names.get(node.id)
        if isinstance(value, Poison):
            raise Rejected
        if value is not None:
            return value
        if self.definition.stores[node.id]:
            differs = "is not the same on every path to here" if node.id in self.aliases else "may have no value here"
            self.reject(node, f"'{node.id}' {differs}", "assign it before the branch or the loop")
        return self._outer(node)

    def _outer(self, node: ast.Name) -> Value:
        """A name from outside the function: of an enclosing function, of the module, or of Python itself."""
        function = self.definition.function
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        if node.id in closure:
            return Static(closure[node.id].cell_contents)
        if node.id in function.__globals__:
            return Static(function.__globals__[node.id])
        if hasattr(builtins, node.id):
            return Static(getattr(builtins, node.id))
        remedy = f"write self.{node.id}" if self._is_attribute(node.id) else ""
        visible = [*self.names, *(g for g in function.__globals__ if not g.startswith("_")), *KNOWN_FUNCTIONS]
        self.reject(node, f"'{node.id}' is not defined", remedy or suggestion(node.id, visible))

    def _is_attribute(self, name: str) -> bool:
        return name in self.unit.model._variables or hasattr(type(self.unit.model), name)

    # --- attributes -----------------------------------------------------------------------------------------------

    def attribute(self, node: ast.Attribute) -> Value:
        match self.evaluate(node.value):
            case Itself():
                return self._of_model(node)
            case Super(owner):
                return self._of_class(node, type(self.unit.model).__mro__, owner)
            case Static(type() as cls) if issubclass(type(self.unit.model), cls) and issubclass(cls, Model):
                return self._of_class(node, cls.__mro__, None)
            case Static(ModuleType() | type() | Enum() as known) if hasattr(known, node.attr):
                return Static(getattr(known, node.attr))
            case Static(type() as known) if issubclass(known, Enum):
                self.reject(
                    node, f"{known.__name__} has no member '{node.attr}'", f"it has {', '.join(known.__members__)}"
                )
            case Static(ModuleType() | type() as known):
                name = known.__name__
                self.reject(node, f"{name} has no '{node.attr}'", suggestion(node.attr, _public(known)))
            case Scalar() | SlotRef() as value if node.attr == "value":
                return value  # an IntEnum member is its number
            case Compound() as value:
                return self.lowered(value).attribute(node.attr, node)
            case RecordOf(cls, items):
                return self._of_record(cls, items, node)
            case Poison():
                raise Rejected
            case _:
                self.reject(node, f"'.{node.attr}' is not part of the language here")

    def _of_model(self, node: ast.Attribute) -> Value:
        name = node.attr
        variable = self.variable(name)
        if variable is not None:
            return self.normal(variable, node)
        model = self.unit.model
        if name in model.parameters:
            return Static(model.parameters[name])
        if name in Model._own_names or not hasattr(type(model), name):
            self.reject_unknown(node)
        return self._of_class(node, type(model).__mro__, None)

    def _of_record(self, cls: type, items: tuple[Value, ...], node: ast.Attribute) -> Value:
        assert issubclass(cls, Record)
        names = list(cls._fields)
        method = getattr_static(cls, node.attr, None)
        if isinstance(method, FunctionType):
            return Method(method, RecordOf(cls, items))
        if node.attr not in names:
            self.reject(node, f"{cls.__name__} has no part '{node.attr}'", f"it has: {', '.join(names)}")
        return items[names.index(node.attr)]

    def is_model(self, name: str) -> bool:
        return isinstance(self.names.get(name), Itself)

    def _of_class(self, node: ast.Attribute, mro: tuple[type, ...], after: type | None) -> Value:
        """The member that Python would find, searching from the class behind `after`."""
        searched = mro[mro.index(after) + 1 :] if after else mro
        owner = next((cls for cls in searched if node.attr in vars(cls)), None)
        if owner is None:
            self.reject_unknown(node)
        member = getattr_static(owner, node.attr)
        match member:
            case FunctionType():
                return Method(member, Itself())
            case Transition():
                if after is None:
                    self.reject(
                        node,
                        f"{node.attr} is a transition, and cannot be fired by another one",
                        "move the common code to a method without @transition",
                    )
                return Method(member.function, Itself())
            case Process():
                return Static(member)
            case staticmethod(__func__=FunctionType() as function):
                return Method(function, None)
            case classmethod(__func__=FunctionType() as function):
                return Method(function, Static(type(self.unit.model)))
            case property(fget=FunctionType() as getter):
                return self.call_getter(Method(getter, Itself()), node)
            case _:
                return Static(member)

    @abstractmethod
    def call_getter(self, method: Method, node: ast.Attribute) -> Value:
        """The value of a @property."""

    def reject_unknown(self, node: ast.Attribute) -> NoReturn:
        variables = list(self.unit.model._variables)
        declared = ", ".join(variables) or "none"
        own = (name for name in dir(type(self.unit.model)) if name not in Model._own_names)
        known = [*variables, *self.unit.model.parameters, *own]
        self.reject(
            node,
            f"'{node.attr}' is not declared in state(); state variables: {declared}",
            suggestion(node.attr, known) or f"declare it in state(): self.{node.attr} = ...",
        )

    # --- subscripts -----------------------------------------------------------------------------------------------

    def subscript(self, node: ast.Subscript) -> Value:
        base = self.evaluate(node.value)
        if isinstance(node.slice, ast.Slice):
            self.reject(node, "slices are not part of the language", "loop over range(...)")
        if isinstance(node.slice, ast.Tuple) and isinstance(base, ArrayRef):
            self.reject(node, "an Array is indexed one dimension at a time", "write a[i][j]")
        return self.element(base, self.evaluate(node.slice), node)

    def element(self, base: Value, index: Value, node: ast.Subscript | ast.expr) -> Value:
        """`base[index]`."""
        at = node.slice if isinstance(node, ast.Subscript) else node
        match base:
            case ArrayRef():
                return self.array_element(base, self.number(index, at), node)
            case Static(tuple() as data):
                known = known_integer(index)
                if known is not None and -len(data) <= known < len(data):
                    return Static(data[known])
                name = ast.unparse(node.value) if isinstance(node, ast.Subscript) else "table"
                return self.table_element(TableRef(name, data), self.number(index, at), node)
            case TableRef():
                return self.table_element(base, self.number(index, at), node)
            case Compound():
                return self.lowered(base).element(index, node)
            case TupleOf(items):
                if (
                    isinstance(index, Static)
                    and isinstance(index.value, int)
                    and -len(items) <= index.value < len(items)
                ):
                    return items[index.value]
                self.reject(node, "a tuple of run-time values needs a constant index", "use an Array in the state")
            case Static(type() as cls) if issubclass(cls, IntEnum):
                self.reject(node, f"{cls.__name__}[...] looks a member up by its name", f"write {cls.__name__}(number)")
            case Poison():
                raise Rejected
            case _:
                self.number(base, node)  # says what is wrong with a list, a text…
                self.reject(node, "a number cannot be indexed")

    def array_element(self, base: ArrayRef, index: n.Expr, node: ast.expr) -> Value:
        indices, dims = (*base.indices, index), base.dims[1:]
        if dims:
            return ArrayRef(base.variable, base.name, dims, indices)
        return Scalar(n.Read(self.span(node), base.variable, indices))

    def table_element(self, table: TableRef, index: n.Expr, node: ast.expr, swept: bool = False) -> Value:
        """`table[index]`; where `swept` is true, the index counts the row's own elements and is not checked."""
        shape = self.table_shape(table, node)
        depth = len(table.indices)
        if not swept:
            index = self._position(index, shape, table.indices, node)
        indices = (*table.indices, index)
        if depth + 1 < len(shape.dims):
            return TableRef(table.name, table.data, indices)
        return Scalar(n.Table(self.span(node), table.name, shape.dims, shape.values, indices))

    def table_shape(self, table: TableRef, node: ast.expr) -> Shape:
        try:
            return shape_of(table.data)
        except Ragged as ragged:
            self.reject(node, f"{table.name} cannot be indexed at run time: {ragged}", "use tuples of integers")

    def _position(self, index: n.Expr, shape: Shape, given: tuple[n.Expr, ...], node: ast.expr) -> n.Expr:
        """The index counted from the row's start: a negative one counts from its end, as in Python."""
        depth, span = len(given), self.span(node)
        ragged, known = shape.is_ragged(depth), self.interval(index)
        if known is not None and known[0] >= 0 and not ragged:
            return index
        if is_plain(index) and not ragged:
            negative = n.Binary(span, n.BinaryOp.LT, index, n.Const(span, 0))
            from_end = n.Binary(span, n.BinaryOp.ADD, index, n.Const(span, shape.dims[depth]))
            return n.Conditional(span, negative, from_end, index)
        if ragged and has_call(*given):
            self.reject(node, "an index of this tuple changes the state", "assign it to a local first")
        return n.Call(span, self.unit.position(), (index, self.row_length(shape, given, node)))

    def row_length(self, shape: Shape, given: tuple[n.Expr, ...], node: ast.expr) -> n.Expr:
        lengths = shape.lengths[len(given)]
        span = self.span(node)
        if len(set(lengths)) == 1 or not given:
            return n.Const(span, lengths[0])
        return n.Table(span, "len", shape.dims[: len(given)], lengths, given)


def _public(known: ModuleType | type) -> list[str]:
    return [name for name in dir(known) if not name.startswith("_")]


def known_integer(value: Value) -> int | None:
    """The number where it is known now."""
    if isinstance(value, Static) and isinstance(value.value, int):
        return int(value.value)
    return constant(value.expr) if isinstance(value, Scalar) else None
