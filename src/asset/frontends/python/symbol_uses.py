"""Symbols are compared, and nothing else: where the text of a model computes with them, or asks for their order.

Symbols are numbers at run time, so nothing would go wrong then. What Python would not do is found when all functions
are compiled: which values may be symbols is followed through local variables, calls and results, whatever the order in
which statements run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from asset.errors import Diagnostic
from asset.ir import nodes as n
from asset.ir.program import Function, Variable
from asset.ir.types import FIRST_SYMBOL, EnumType
from asset.span import Span

Numeric = n.Binary | n.Unary | n.Fold
_INT_ENUM = "use an IntEnum, whose members are numbers"
N = TypeVar("N", n.Binary, n.Unary, n.Fold)


class SymbolUses:
    """The operations of the text that need numbers."""

    def __init__(self) -> None:
        self.occur = False
        """Whether the text of the model names a symbol."""
        self._noted: set[tuple[object, Span]] = set()
        self._numbers: dict[int, n.Expr] = {}  # by identity; kept, so that no other node gets it

    def as_number(self, value: n.Expr) -> n.Expr:
        """Notes that the text of the model takes this very value for a number."""
        self._numbers[id(value)] = value
        return value

    def of_numbers(self, operation: N) -> N:
        """Notes that the text of the model has this operation, and not only the compiler."""
        self._noted.add((operation.op, operation.span))
        return operation

    def problems(self, functions: Sequence[Function], variables: Sequence[Variable]) -> Iterator[Diagnostic]:
        if not self.occur and not any(isinstance(v.type, EnumType) and v.type.is_symbolic for v in variables):
            return
        kinds = _Kinds(functions, variables)
        for number, function in enumerate(functions):
            for node in n.walk(*function.body):
                if isinstance(node, n.SetState):
                    yield from _assigned(node, kinds, number, variables)
                elif isinstance(node, Numeric) and (node.op, node.span) in self._noted:
                    yield from _computed(node, kinds, number)
                if id(node) in self._numbers and kinds.may_be_symbol(node, number):
                    yield Diagnostic("this is a text or a member of an Enum, and no number", node.span, _INT_ENUM)


def _computed(node: Numeric, kinds: _Kinds, function: int) -> Iterator[Diagnostic]:
    operands = [e for e in n.children(node) if not isinstance(e, n.Generator)]
    if any(kinds.may_be_symbol(e, function) for e in operands):
        what = f"{node.op.value} is applied to a text or a member of an Enum, which can only be compared with == and !="
        yield Diagnostic(what, node.span, _INT_ENUM)


def _assigned(node: n.SetState, kinds: _Kinds, function: int, variables: Sequence[Variable]) -> Iterator[Diagnostic]:
    kind = variables[node.variable].type
    takes_symbols = isinstance(kind, EnumType) and kind.is_symbolic
    if not takes_symbols and kinds.may_be_symbol(node.value, function):
        name = variables[node.variable].name
        yield Diagnostic(f"{name} takes {kind}, and is assigned a text or a member of an Enum", node.span)


class _Kinds:
    """Which local variables and results may be symbols: the least solution, found by repetition."""

    def __init__(self, functions: Sequence[Function], variables: Sequence[Variable]) -> None:
        self._variables = variables
        self._slots: set[tuple[int, int]] = set()
        self._results: set[int] = set()
        nodes = [(k, node) for k, function in enumerate(functions) for node in n.walk(*function.body)]
        before = -1
        while before < (before := len(self._slots) + len(self._results)):
            for function, node in nodes:
                self._follow(node, function)

    def _follow(self, node: n.Node, function: int) -> None:
        match node:
            case n.SetLocal(slot=slot, value=value) | n.Bind(slot=slot, value=value):
                if self.may_be_symbol(value, function):
                    self._slots.add((function, slot))
            case n.For(slot=slot, start=start) | n.Generator(slot=slot, start=start):
                if self.may_be_symbol(start, function):
                    self._slots.add((function, slot))
            case n.Call(function=callee, args=args):
                self._slots.update((callee, k) for k, arg in enumerate(args) if self.may_be_symbol(arg, function))
            case n.Return(value=value) if value is not None and self.may_be_symbol(value, function):
                self._results.add(function)

    def may_be_symbol(self, e: n.Node, function: int) -> bool:
        match e:
            case n.Const(value=value):
                return value >= FIRST_SYMBOL
            case n.Local(slot=slot):
                return (function, slot) in self._slots
            case n.Read(variable=variable):
                kind = self._variables[variable].type
                return isinstance(kind, EnumType) and kind.is_symbolic
            case n.Table(values=values):
                return any(value >= FIRST_SYMBOL for value in values)
            case n.Call(function=callee):
                return callee in self._results
            case n.Conditional(then=then, orelse=orelse):
                return self.may_be_symbol(then, function) or self.may_be_symbol(orelse, function)
            case n.And(operands=operands) | n.Or(operands=operands):
                return any(self.may_be_symbol(operand, function) for operand in operands)
            case n.Fold(op=n.FoldOp.MIN | n.FoldOp.MAX, element=element):
                return self.may_be_symbol(element, function)
            case n.Binary(op=n.BinaryOp.ADD, right=n.Const(value=value)):  # the member with that position
                return value >= FIRST_SYMBOL
            case _:
                return False
