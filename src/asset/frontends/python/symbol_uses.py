"""Symbols are compared, and nothing else: where the text of a model computes with them, or asks for their order.

Symbols are numbers at run time, so nothing would go wrong then. What Python would not do is found when all functions
are compiled: which values may be symbols is followed through local variables, calls and results, whatever the order in
which statements run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Flag
from itertools import product
from typing import TypeVar

from asset.errors import Diagnostic
from asset.ir import nodes as n
from asset.ir.program import Function, Variable
from asset.ir.types import FIRST_SYMBOL, FIRST_TEXT, EnumType
from asset.span import Span

Numeric = n.Binary | n.Unary | n.Fold
_INT_ENUM = "use an IntEnum, whose members are numbers"
N = TypeVar("N", n.Binary, n.Unary, n.Fold)


class Kind(Flag):
    """What a value may be."""

    NUMBER = 1
    MEMBER = 2
    TEXT = 4


_NOTHING = Kind(0)
_SYMBOL = Kind.MEMBER | Kind.TEXT


class SymbolUses:
    """The operations of the text that need numbers, and those that need members of an Enum."""

    def __init__(self) -> None:
        self.occur = False
        """Whether the text of the model names a symbol."""
        self._noted: set[tuple[object, Span]] = set()
        self._identities: set[tuple[object, Span]] = set()
        self._indices: dict[tuple[int, int], Kind] = {}
        self._numbers: dict[int, n.Expr] = {}  # by identity; kept, so that no other node gets it

    def as_number(self, value: n.Expr) -> n.Expr:
        """Notes that the text of the model takes this very value for a number."""
        self._numbers[id(value)] = value
        return value

    def of_numbers(self, operation: N) -> N:
        """Notes that the text of the model has this operation, and not only the compiler."""
        self._noted.add((operation.op, operation.span))
        return operation

    def of_members(self, comparison: n.Binary) -> n.Binary:
        """Notes that the text compares these two with `is`."""
        self._identities.add((comparison.op, comparison.span))
        return comparison

    def of_index(self, function: int, slot: int, values: Iterable[int]) -> None:
        """Notes which values an index of a transition has."""
        self._indices[function, slot] = _any(map(_kind_of, values))

    def problems(self, functions: Sequence[Function], variables: Sequence[Variable]) -> Iterator[Diagnostic]:
        symbolic = any(isinstance(v.type, EnumType) and v.type.is_symbolic for v in variables)
        if not symbolic and not self.occur and not self._identities:
            return
        kinds = _Kinds(functions, variables, self._indices)
        for number, function in enumerate(functions):
            for node in function.nodes:
                if isinstance(node, n.SetState):
                    yield from _assigned(node, kinds, number, variables)
                elif isinstance(node, Numeric) and (node.op, node.span) in self._noted:
                    yield from _computed(node, kinds, number)
                elif isinstance(node, n.Binary) and (node.op, node.span) in self._identities:
                    yield from _identified(node, kinds, number)
                if id(node) in self._numbers and kinds.may_be_symbol(node, number):
                    yield Diagnostic("this is a text or a member of an Enum, and no number", node.span, _INT_ENUM)


def _computed(node: Numeric, kinds: _Kinds, function: int) -> Iterator[Diagnostic]:
    operands = [e for e in n.children(node) if not isinstance(e, n.Generator)]
    if any(kinds.may_be_symbol(e, function) for e in operands):
        what = f"{node.op.value} is applied to a text or a member of an Enum, which can only be compared with == and !="
        yield Diagnostic(what, node.span, _INT_ENUM)


def _identified(node: n.Binary, kinds: _Kinds, function: int) -> Iterator[Diagnostic]:
    if any(kinds.of(e, function) != Kind.MEMBER for e in (node.left, node.right)):
        same = "==" if node.op is n.BinaryOp.EQ else "!="
        yield Diagnostic("'is' compares objects, and numbers and texts are none here", node.span, f"write {same}")


def _assigned(node: n.SetState, kinds: _Kinds, function: int, variables: Sequence[Variable]) -> Iterator[Diagnostic]:
    kind = variables[node.variable].type
    takes_symbols = isinstance(kind, EnumType) and kind.is_symbolic
    if not takes_symbols and kinds.may_be_symbol(node.value, function):
        name = variables[node.variable].name
        yield Diagnostic(f"{name} takes {kind}, and is assigned a text or a member of an Enum", node.span)


class _Kinds:
    """What local variables and results may be: the least solution, found by repetition."""

    def __init__(
        self, functions: Sequence[Function], variables: Sequence[Variable], indices: Mapping[tuple[int, int], Kind]
    ) -> None:
        self._variables = variables
        self._slots: defaultdict[tuple[int, int], Kind] = defaultdict(lambda: _NOTHING, indices)
        self._results: defaultdict[int, Kind] = defaultdict(lambda: _NOTHING)
        self._grown = True
        nodes = [(k, node) for k, function in enumerate(functions) for node in function.nodes]
        while self._grown:
            self._grown = False
            for function, node in nodes:
                self._follow(node, function)

    def _follow(self, node: n.Node, function: int) -> None:
        match node:
            case n.SetLocal(slot=slot, value=value) | n.Bind(slot=slot, value=value):
                self._is_given(function, slot, self.of(value, function))
            case n.For(slot=slot, start=start) | n.Generator(slot=slot, start=start):
                self._is_given(function, slot, self.of(start, function))
            case n.Call(function=callee, args=args):
                for k, arg in enumerate(args):
                    self._is_given(callee, k, self.of(arg, function))
            case n.Return(value=value) if value is not None:
                before = self._results[function]
                self._results[function] |= self.of(value, function)
                self._grown = self._grown or self._results[function] != before

    def _is_given(self, function: int, slot: int, kind: Kind) -> None:
        before = self._slots[function, slot]
        self._slots[function, slot] = before | kind
        self._grown = self._grown or before | kind != before

    def may_be_symbol(self, e: n.Node, function: int) -> bool:
        return bool(self.of(e, function) & _SYMBOL)

    def of(self, e: n.Node, function: int) -> Kind:
        match e:
            case n.Const(value=value):
                return _kind_of(value)
            case n.Local(slot=slot):
                return self._slots[function, slot]
            case n.Read(variable=variable):
                kind = self._variables[variable].type
                return _kind_of(kind.lo) if isinstance(kind, EnumType) else Kind.NUMBER
            case n.Table():
                return _any(map(_kind_of, _entries(e)))
            case n.Call(function=callee):
                return self._results[callee]
            case n.Conditional(then=then, orelse=orelse):
                return self.of(then, function) | self.of(orelse, function)
            case n.And(operands=operands) | n.Or(operands=operands):
                return _any(self.of(operand, function) for operand in operands)
            case n.Fold(op=n.FoldOp.MIN | n.FoldOp.MAX, element=element):
                return self.of(element, function)
            case n.Binary(op=n.BinaryOp.ADD, right=n.Const(value=value)):  # the member with that position
                return _kind_of(value)
            case _:
                return Kind.NUMBER


def _entries(table: n.Table) -> Iterator[int]:
    """The values that it can give: in a table of pairs, those of the column that is asked for."""
    columns = [e.value if isinstance(e, n.Const) else None for e in table.indices]
    for place, value in zip(product(*map(range, table.dims)), table.values, strict=True):
        if all(at in (None, k) for k, at in zip(place, columns, strict=True)):
            yield value


def _kind_of(value: int) -> Kind:
    if value < FIRST_SYMBOL:
        return Kind.NUMBER
    return Kind.MEMBER if value < FIRST_TEXT else Kind.TEXT


def _any(kinds: Iterable[Kind]) -> Kind:
    found = _NOTHING
    for kind in kinds:
        found |= kind
    return found
