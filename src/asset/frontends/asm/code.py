"""Writing the IR: expressions that are simplified as they are made, and the statements of one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from asset.ir import nodes as n
from asset.ir.faults import Fault
from asset.ir.interpreter import binary_value, unary_value
from asset.span import Span

Made = TypeVar("Made")


def const(span: Span, value: int) -> n.Expr:
    return n.Const(span, int(value))


def known(e: n.Expr) -> int | None:
    """Its value, if it is a constant."""
    return e.value if isinstance(e, n.Const) else None


def same(a: n.Expr, b: n.Expr) -> bool:
    """Whether they are written alike, and so have the same value."""
    if a is b:
        return True
    return type(a) is type(b) and all(_same_parts(getattr(a, name), getattr(b, name)) for name in _PARTS[type(a)])


def _same_parts(a: object, b: object) -> bool:
    if isinstance(a, n.Node):
        return isinstance(b, n.Node) and same(cast(n.Expr, a), cast(n.Expr, b))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same_parts, a, b))
    return a == b


_PARTS = {kind: tuple(each.name for each in fields(kind) if each.name != "span") for kind in n.Node.__subclasses__()}
"""The fields of each kind of node, without its place in the text."""


def binary(span: Span, op: n.BinaryOp, left: n.Expr, right: n.Expr) -> n.Expr:
    made = n.Binary(span, op, left, right)
    if isinstance(left, n.Const) and isinstance(right, n.Const):
        try:
            return const(span, binary_value(made, left.value, right.value))
        except Fault:
            return made
    match op, known(right):
        case (n.BinaryOp.ADD | n.BinaryOp.SUB, 0):
            return left
        case (n.BinaryOp.EQ, _) if same(left, right):
            return const(span, 1)
        case (n.BinaryOp.NE, _) if same(left, right):
            return const(span, 0)
    return made


def equal(span: Span, left: n.Expr, right: n.Expr) -> n.Expr:
    return binary(span, n.BinaryOp.EQ, left, right)


def negation(span: Span, e: n.Expr) -> n.Expr:
    match e:
        case n.Unary(op=n.UnaryOp.NOT, operand=operand) if _is_truth(operand):
            return operand
        case n.Binary(op=n.BinaryOp.EQ, left=left, right=right):
            return n.Binary(span, n.BinaryOp.NE, left, right)
        case n.Binary(op=n.BinaryOp.NE, left=left, right=right):
            return n.Binary(span, n.BinaryOp.EQ, left, right)
    made = n.Unary(span, n.UnaryOp.NOT, e)
    return const(span, unary_value(made, e.value)) if isinstance(e, n.Const) else made


def _is_truth(e: n.Expr) -> bool:
    """Whether it is certainly 0 or 1."""
    match e:
        case n.Binary(op=op):
            return op in n.COMPARISONS
        case n.Unary(op=n.UnaryOp.NOT) | n.Fold(op=n.FoldOp.ANY | n.FoldOp.ALL):
            return True
        case n.And(operands=operands) | n.Or(operands=operands):
            return all(map(_is_truth, operands))
    return isinstance(e, n.Const) and e.value in (0, 1)


def negative(span: Span, e: n.Expr) -> n.Expr:
    return const(span, -e.value) if isinstance(e, n.Const) else n.Unary(span, n.UnaryOp.NEGATE, e)


def conjunction(span: Span, operands: Iterable[n.Expr]) -> n.Expr:
    """All of them hold: each is 0 or 1."""
    kept: list[n.Expr] = []
    for each in operands:
        if known(each) == 0:
            return const(span, 0) if not kept else n.And(span, (*kept, each))
        if known(each) is None:
            kept += each.operands if isinstance(each, n.And) else (each,)
    return const(span, 1) if not kept else kept[0] if len(kept) == 1 else n.And(span, tuple(kept))


def disjunction(span: Span, operands: Iterable[n.Expr]) -> n.Expr:
    """One of them holds: each is 0 or 1."""
    kept: list[n.Expr] = []
    for each in operands:
        if known(each) is not None and known(each) != 0:
            return const(span, 1) if not kept else n.Or(span, (*kept, each))
        if known(each) is None:
            kept += each.operands if isinstance(each, n.Or) else (each,)
    return const(span, 0) if not kept else kept[0] if len(kept) == 1 else n.Or(span, tuple(kept))


def conditional(span: Span, test: n.Expr, then: n.Expr, orelse: n.Expr) -> n.Expr:
    if isinstance(test, n.Const):
        return then if test.value else orelse
    return then if same(then, orelse) else n.Conditional(span, test, then, orelse)


def one_of(span: Span, e: n.Expr, codes: Sequence[int]) -> n.Expr:
    """Whether the value is one of the codes, which are in increasing order."""
    if not codes:
        return const(span, 0)
    if codes[-1] - codes[0] == len(codes) - 1:
        low = binary(span, n.BinaryOp.GE, e, const(span, codes[0]))
        return conjunction(span, (low, binary(span, n.BinaryOp.LE, e, const(span, codes[-1]))))
    return disjunction(span, (equal(span, e, const(span, code)) for code in codes))


def slots_in(*nodes: n.Node) -> set[int]:
    """The locals that are read."""
    return {each.slot for each in n.walk(*nodes) if isinstance(each, n.Local)}


def may_fail(e: n.Expr) -> bool:
    """Whether evaluating it can be a model error."""
    return any(isinstance(each, n.Binary) and each.op in n.DIVISIONS | n.SHIFTS for each in n.walk(e))


def _substituted(e: n.Expr, meanings: Mapping[int, n.Expr]) -> n.Expr:
    """The expression with what locals mean in their place."""

    def changed(value: object) -> object:
        if isinstance(value, n.Local):
            meaning = meanings.get(value.slot)
            return value if meaning is None else changed(meaning)
        if isinstance(value, n.Node):
            parts: dict[str, Any] = {f.name: changed(getattr(value, f.name)) for f in fields(value)}
            return replace(value, **parts)
        return tuple(map(changed, value)) if isinstance(value, tuple) else value

    return cast(n.Expr, changed(e))


class Writer:
    """The function that is being written: its slots, and the statements of the block that is open."""

    def __init__(self, parameters: Sequence[str]) -> None:
        self.slots = list(parameters)
        self._block: list[n.Stmt] = []
        self._first: list[n.Stmt] = []
        """What comes before everything: locals get a value that they have on every way."""
        self._cleared: set[int] = set()
        self._meanings: dict[int, n.Expr] = {}
        """What the locals are that get a value once."""
        self.calling: tuple[Any, ...] = ()
        """The calls of rules that are being written out, the innermost last."""
        self.updating: dict[n.Stmt, tuple[Any, ...]] = {}
        """The statements that update something, each with the calls that it belongs to."""

    def slot(self, name: str) -> int:
        self.slots.append(name)
        return len(self.slots) - 1

    def cleared(self, span: Span, name: str) -> int:
        """A slot that is 0 until something else is assigned to it."""
        slot = self.slot(name)
        self.clear(span, slot)
        return slot

    def clear(self, span: Span, slot: int) -> None:
        """The slot is 0 until something else is assigned to it."""
        if slot not in self._cleared:
            self._cleared.add(slot)
            self._first.append(n.SetLocal(span, slot, const(span, 0)))

    def emit(self, statement: n.Stmt) -> None:
        self._block.append(statement)

    def update(self, statement: n.Stmt) -> None:
        """Emits a statement that updates a location, or that notes an update to be made later."""
        self.updating[statement] = self.calling
        self.emit(statement)

    def assign(self, span: Span, name: str, value: n.Expr) -> n.Expr:
        """The value, to be evaluated once and here."""
        if isinstance(value, n.Const | n.Local):
            return value
        slot = self.slot(name)
        self._meanings[slot] = value
        self.emit(n.SetLocal(span, slot, value))
        return n.Local(span, slot)

    def written_out(self, e: n.Expr) -> n.Expr:
        """The same without locals that were only given a value."""
        return _substituted(e, self._meanings)

    def block(self, write: Callable[[], object]) -> tuple[n.Stmt, ...]:
        """The statements that are written meanwhile."""
        return self.captured(write)[1]

    def captured(self, write: Callable[[], Made]) -> tuple[Made, tuple[n.Stmt, ...]]:
        """What was made, and the statements that were written for it."""
        outer, self._block = self._block, []
        try:
            made = write()
            return made, tuple(self._block)
        finally:
            self._block = outer

    def emit_if(self, span: Span, test: n.Expr, written: tuple[n.Stmt, ...]) -> None:
        """Emits what matters only if the test is true; whatever it assigns to is 0 if it is not."""
        for each in n.walk(*written):
            if isinstance(each, n.SetLocal):
                self.clear(span, each.slot)
        self.branch(span, test, written)

    def branch(self, span: Span, test: n.Expr, then: tuple[n.Stmt, ...], orelse: tuple[n.Stmt, ...] = ()) -> None:
        if isinstance(test, n.Const):
            self._block += then if test.value else orelse
        elif then:
            self.emit(n.If(span, (n.Case(span, test, then),), orelse))
        elif orelse:
            self.emit(n.If(span, (n.Case(span, negation(span, test), orelse),)))

    def body(self) -> tuple[n.Stmt, ...]:
        return (*self._first, *self._block)
