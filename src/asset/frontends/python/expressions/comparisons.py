"""Comparisons and membership. What is known now is computed now."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from enum import Enum
from math import ceil, floor
from typing import Any

from asset.frontends.python.body import Body, Evaluation
from asset.frontends.python.compounds import Compounds
from asset.frontends.python.constants import Listed, in_some_order, is_immutable
from asset.frontends.python.evaluation_order import EvaluationOrder
from asset.frontends.python.ir_expressions import constant, disjunction, has_call, is_atom, is_plain, rounds
from asset.frontends.python.local_shapes import NOTHING, holds_place
from asset.frontends.python.shapes.bounded_sets import BoundedSets
from asset.frontends.python.shapes.dicts import Dicts
from asset.frontends.python.shapes.maps import Maps
from asset.frontends.python.shapes.optionals import Optionals
from asset.frontends.python.shapes.plain_sets import PlainSets
from asset.frontends.python.shapes.sets import ORDERS, Sets
from asset.frontends.python.storage import Storage
from asset.frontends.python.values import (
    ArrayRef,
    Compound,
    RangeOf,
    RecordOf,
    Scalar,
    SetOf,
    SlotRef,
    Static,
    TableRef,
    TupleOf,
    Value,
    is_optional,
)
from asset.frontends.python.views import viewed
from asset.ir import nodes as n
from asset.ir.shapes import (
    BoundedSetShape,
    Collection,
    LocalShape,
    MapShape,
    OptionalShape,
    RefShape,
    ScalarShape,
    SetShape,
)
from asset.model.symbols import is_symbol, is_symbolic_class, number_of
from asset.span import Span

COMPARE: dict[type[ast.cmpop], tuple[n.BinaryOp, Callable[[Any, Any], bool]]] = {
    ast.Eq: (n.BinaryOp.EQ, operator.eq),
    ast.NotEq: (n.BinaryOp.NE, operator.ne),
    ast.Lt: (n.BinaryOp.LT, operator.lt),
    ast.LtE: (n.BinaryOp.LE, operator.le),
    ast.Gt: (n.BinaryOp.GT, operator.gt),
    ast.GtE: (n.BinaryOp.GE, operator.ge),
}

TURNED = {
    n.BinaryOp.LT: n.BinaryOp.GT,
    n.BinaryOp.LE: n.BinaryOp.GE,
    n.BinaryOp.GT: n.BinaryOp.LT,
    n.BinaryOp.GE: n.BinaryOp.LE,
}
"""The same comparison with its operands exchanged."""
EQUALITIES = (n.BinaryOp.EQ, n.BinaryOp.NE)
Operand = tuple[Value, ast.expr]


class Comparisons:
    def __init__(
        self, body: Body, evaluation: Evaluation, compounds: Compounds, storage: Storage, order: EvaluationOrder
    ) -> None:
        self._body = body
        self._evaluation = evaluation
        self._compounds = compounds
        self._storage = storage
        self._order = order

    # --- comparisons ----------------------------------------------------------------------------------------------

    def comparison(self, node: ast.Compare) -> Value:
        if len(node.ops) == 1:
            first = self._compounds.operand(node.left)
            left = self._evaluation.evaluate(first)
            return self._compare(node.ops[0], (left, first), node.comparators[0], node)
        return self._chain(node)

    def _compare(self, op: ast.cmpop, left: Operand, right: ast.expr, node: ast.Compare) -> Value:
        if isinstance(op, ast.In | ast.NotIn):
            found = self._membership(left, right, node)
            return found if isinstance(op, ast.In) else self._negated(found, node)
        before = len(self._body.emitted)
        right = self._compounds.operand(right)
        other = self._compounds.as_tuple(self._evaluation.evaluate(right), right)
        left = (self._order.held_before(self._compounds.as_tuple(*left), before), left[1])
        if isinstance(op, ast.Is | ast.IsNot):
            return self._identity(op, left[0], other, node)
        kind, compute = COMPARE[type(op)]
        if any(isinstance(v, Compound | RecordOf | TupleOf) for v in (left[0], other)):
            return self._compare_compounds(kind, left, (other, right), node)
        if isinstance(left[0], Static) and isinstance(other, Static):
            return self._compare_known(compute, left[0].value, other.value, node)
        if isinstance(left[0], ArrayRef) and isinstance(other, ArrayRef) and kind in (n.BinaryOp.EQ, n.BinaryOp.NE):
            return self._arrays_equal(left[0], other, kind, node)
        return self._compare_numbers(kind, left, (other, right), node)

    def _compare_compounds(self, kind: n.BinaryOp, left: Operand, right: Operand, node: ast.Compare) -> Value:
        if kind in (n.BinaryOp.EQ, n.BinaryOp.NE):
            equal = Scalar(self._compounds.equal(left[0], right[0], node))
            return equal if kind is n.BinaryOp.EQ else self._negated(equal, node)
        first = self._compounds.through(*left)
        if isinstance(first, Compound) and isinstance(first.shape, SetShape) and kind in ORDERS:
            return Scalar(Sets(self._compounds, first).compared(kind, right[0], node))
        if isinstance(first, Compound) and isinstance(first.shape, BoundedSetShape) and kind in ORDERS:
            return Scalar(BoundedSets(self._compounds, first).compared(kind, right[0], node))
        turned = self._of_sets_turned(kind, left[0], right, node)
        if turned is not None:
            return turned
        sequences = self._compounds.sequences
        if sequences.kind_of(first) is Collection.SET and isinstance(first, Compound):
            return Scalar(PlainSets(self._compounds, first).compared(kind, right[0], node))
        if sequences.kind_of(first) in (Collection.LIST, Collection.TUPLE):
            both = [first, self._compounds.through(*right)]
            return Scalar(
                self._compounds.evaluated(both, lambda held: sequences.ordered(kind, held[0], held[1], node), node)
            )
        return self._compare_numbers(kind, left, right, node)

    def _of_sets_turned(self, kind: n.BinaryOp, left: Value, right: Operand, node: ast.Compare) -> Value | None:
        """`{0, 1} <= self.members` is `self.members >= {0, 1}`, as in Python."""
        second = self._compounds.through(*right)
        if kind not in TURNED or not isinstance(second, Compound):
            return None
        if isinstance(second.shape, SetShape):
            return Scalar(Sets(self._compounds, second).compared(TURNED[kind], left, node))
        if isinstance(second.shape, BoundedSetShape):
            return Scalar(BoundedSets(self._compounds, second).compared(TURNED[kind], left, node))
        if isinstance(left, SetOf) and self._compounds.sequences.kind_of(second) is Collection.SET:
            return Scalar(PlainSets(self._compounds, second).compared(TURNED[kind], left, node))
        return None

    def _compare_numbers(self, kind: n.BinaryOp, left: Operand, right: Operand, node: ast.Compare) -> Value:
        number = self._evaluation.number
        if isinstance(left[0], Static) and isinstance(left[0].value, float) and kind in TURNED:
            kind, left, right = TURNED[kind], right, left
        if isinstance(right[0], Static) and isinstance(right[0].value, float):
            return self._with_fraction(kind, left, right[0].value, node)
        compared = n.Binary(self._body.span(node), kind, number(*left), number(*right))
        return Scalar(self._ordered(compared))

    def _with_fraction(self, kind: n.BinaryOp, left: Operand, fraction: float, node: ast.Compare) -> Value:
        """A number compared with a constant that may be none, as in `len(votes) > n / 2`: a whole number decides."""
        if kind in EQUALITIES and not fraction.is_integer():
            self._body.reject(node, f"a whole number is never {fraction}", "write // (it rounds down)")
        rounds = ceil if kind in (n.BinaryOp.GE, n.BinaryOp.LT) else floor
        span = self._body.span(node)
        whole = n.Const(span, rounds(fraction))
        return Scalar(self._ordered(n.Binary(span, kind, self._evaluation.number(*left), whole)))

    def _compare_known(
        self, compute: Callable[[Any, Any], bool], left: object, right: object, node: ast.Compare
    ) -> Value:
        lists = isinstance(left, Listed) != isinstance(right, Listed)
        are_values = all(is_immutable(value) or isinstance(value, float) for value in (left, right))
        if not are_values or lists:
            self._body.reject(node, "these are no values of the language", "compare numbers, tuples or enum members")
        try:
            return Static(bool(compute(left, right)))
        except TypeError:
            self._body.reject(node, "these cannot be compared")

    def _negated(self, value: Value, node: ast.expr) -> Value:
        if isinstance(value, Static):
            return Static(not value.value)
        return Scalar(n.Unary(self._body.span(node), n.UnaryOp.NOT, self._evaluation.number(value, node)))

    def _identity(self, op: ast.cmpop, left: Value, right: Value, node: ast.Compare) -> Value:
        if any(isinstance(v, Compound) and isinstance(v.shape, RefShape) for v in (left, right)):
            same_object = Scalar(self._compounds.equal(left, right, node))
            return same_object if isinstance(op, ast.Is) else self._negated(same_object, node)
        known = [v.value if isinstance(v, Static) else 0 for v in (left, right)]
        if any(isinstance(value, Enum) and is_symbol(value) for value in known):  # a member is one object
            return self._compare_same(left, right, isinstance(op, ast.Is), node)
        if None not in known:
            return self._compare_members(op, left, right, node)
        for value in (left, right):
            if is_optional(value):
                none = Scalar(self._compounds.equal(value, Static(None), node))
                return none if isinstance(op, ast.Is) else self._negated(none, node)
        self._order.drop((left, right))
        identical = all(isinstance(v, Static) and v.value is None for v in (left, right))
        return Static(identical == isinstance(op, ast.Is))

    def _compare_members(self, op: ast.cmpop, left: Value, right: Value, node: ast.Compare) -> Value:
        """`is` of two values, which are members of Enums; where they are not is found when all functions are read."""
        same = "==" if isinstance(op, ast.Is) else "!="
        if not all(isinstance(v, Scalar | SlotRef) or _is_optional_member(v) for v in (left, right)):
            self._body.reject(node, "'is' compares objects, and numbers are not objects here", f"write {same}")
        compared = self._compare_same(left, right, isinstance(op, ast.Is), node)
        if isinstance(compared, Scalar) and isinstance(compared.expr, n.Binary):
            self._body.draft.uses.of_members(compared.expr)
        return compared

    def _compare_same(self, left: Value, right: Value, same: bool, node: ast.Compare) -> Value:
        """Whether a value is a member of an Enum."""
        operands = (left, node.left), (right, node.comparators[0])
        kind, compute = COMPARE[ast.Eq if same else ast.NotEq]
        if isinstance(left, Static) and isinstance(right, Static):
            return self._compare_known(compute, left.value, right.value, node)
        if isinstance(left, Compound) or isinstance(right, Compound):
            return self._compare_compounds(kind, *operands, node)
        return self._compare_numbers(kind, *operands, node)

    def _arrays_equal(self, left: ArrayRef, right: ArrayRef, kind: n.BinaryOp, node: ast.expr) -> Value:
        if left.dims != right.dims:
            return Static(kind is n.BinaryOp.NE)
        span = self._body.span(node)
        counters = [self._body.new_slot(f"{left.name}.at") for _ in left.dims]
        generators = tuple(rounds(span, slot, size) for slot, size in zip(counters, left.dims, strict=True))
        inner = tuple(n.Local(span, slot) for slot in counters)
        cells = [n.Read(span, a.variable, (*self._storage.checked_indices(a), *inner)) for a in (left, right)]
        equal = n.Fold(span, n.FoldOp.ALL, generators, n.Binary(span, n.BinaryOp.EQ, cells[0], cells[1]))
        return Scalar(equal if kind is n.BinaryOp.EQ else n.Unary(span, n.UnaryOp.NOT, equal))

    def _chain(self, node: ast.Compare) -> Value:
        """`a < b < c`: each operand is evaluated once, from left to right, and only as far as needed."""
        if any(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in node.ops):
            self._body.reject(node, "in and is cannot be chained", "write the comparisons with and")
        span = self._body.span(node)
        values = [(self._chain_operand(part, k), part) for k, part in enumerate((node.left, *node.comparators))]
        if any(isinstance(value, Compound) and value.shape != NOTHING for value, _ in values):
            return self._one_by_one(node)
        operands = [self._evaluation.number(*value) for value in values]
        kinds = [COMPARE[type(op)][0] for op in node.ops]
        known = [constant(operand) for operand in operands]
        if None not in known:
            computes = [COMPARE[type(op)][1] for op in node.ops]
            return Static(all(c(a, b) for c, a, b in zip(computes, known[:-1], known[1:], strict=True)))
        if any(has_call(operand) for operand in operands[1:]):
            return Scalar(self._chained(kinds, operands, span))
        pairs = zip(kinds, operands[:-1], operands[1:], strict=True)
        tests = tuple(self._ordered(n.Binary(span, kind, a, b)) for kind, a, b in pairs)
        return Scalar(n.And(span, tests))

    def _ordered(self, compared: n.Binary) -> n.Binary:
        """The comparison; if it asks for an order, its operands must have one."""
        return compared if compared.op in EQUALITIES else self._body.draft.uses.of_numbers(compared)

    def _one_by_one(self, node: ast.Compare) -> Value:
        """A chain of values that are no numbers, as comparisons with `and`."""
        parts = [node.left, *node.comparators]
        if any(isinstance(part, ast.Call) for operand in parts[1:-1] for part in ast.walk(operand)):
            self._body.reject(node, "only numbers can be compared in a chain", "write the comparisons with and")
        pairs = zip(parts[:-1], node.ops, parts[1:], strict=True)
        tests: list[ast.expr] = [ast.copy_location(ast.Compare(a, [op], [b]), node) for a, op, b in pairs]
        return self._evaluation.evaluate(ast.copy_location(ast.BoolOp(ast.And(), tests), node))

    def _chain_operand(self, part: ast.expr, position: int) -> Value:
        """An operand of a chain; from the third on they may not be evaluated."""
        if position < 2:
            return self._evaluation.evaluate(part)
        return self._body.lazy_value(lambda: self._evaluation.evaluate(part), self._evaluation.number, part)

    def _chained(self, kinds: Sequence[n.BinaryOp], operands: Sequence[n.Expr], span: Span) -> n.Expr:
        """A chain whose operands may change the state: each is bound to a slot when its turn comes."""
        left, right = operands[0], operands[1]
        if len(kinds) == 1:
            return self._ordered(n.Binary(span, kinds[0], left, right))
        slots = [self._body.new_slot("chain"), self._body.new_slot("chain")]
        first, second = (n.Local(span, slot) for slot in slots)
        rest = self._chained(kinds[1:], [second, *operands[2:]], span)
        test = n.And(span, (self._ordered(n.Binary(span, kinds[0], first, second)), rest))
        return self._order.truth_after(slots, [left, right], test, span)

    # --- membership -----------------------------------------------------------------------------------------------

    def _in_view(self, left: Value, right: ast.expr, node: ast.expr) -> Value | None:
        """Whether it is among `self.map.values()` and the like; None if that is something else."""
        view = viewed(right)
        base = None if view is None else self._evaluation.evaluate(view[0])
        if view is None or not isinstance(base, Compound):
            return None
        whole, what = self._compounds.lowered(base), view[1]
        if isinstance(whole, Optionals):
            whole = self._compounds.lowered(whole.inner(right))
        if isinstance(whole, Maps):
            return Scalar(self._compounds.evaluated([left], lambda x: whole.has(what, x[0], node), node))
        return Scalar(self._in_list(whole.viewed(what, node), left, node)) if isinstance(whole, Dicts) else None

    def _in_list(self, items: Compound, element: Value, node: ast.expr) -> n.Expr:
        return self._compounds.lowered(items).contains(element, node)

    def _membership(self, left: Operand, right: ast.expr, node: ast.expr) -> Value:
        in_view = self._in_view(self._compounds.as_tuple(*left), right, node)
        if in_view is not None:
            return in_view
        container = self._evaluation.evaluate(_as_tuple(right))
        left = (self._compounds.as_tuple(*left), left[1])
        if holds_place(left[0]) and (isinstance(right, ast.Set) or _is_hashed(container)):
            self._body.reject(left[1], "this may change: a set is searched for a copy of it", "write x.copy()")
        if isinstance(left[0], SetOf) and not _is_dict(container):
            left = self._compounds.sequences.plain_set(left[0].items, left[1]), left[1]
        if isinstance(left[0], Static) and isinstance(container, Static):
            return Static(self._known_membership(left[0].value, container.value, node))
        if isinstance(container, Compound):
            return Scalar(self._compounds.lowered(container).contains(left[0], node))
        if isinstance(left[0], Compound | RecordOf | TupleOf):
            return Scalar(self._compounds.is_among(left[0], self._searched(container, node), node))
        element, span = self._evaluation.number(*left), self._body.span(node)
        match container:
            case Static(range() as values) if values.step == 1:
                return Scalar(self._between(element, n.Const(span, values.start), n.Const(span, values.stop), span))
            case Static(set() | frozenset() as members):
                listed = [self._evaluation.number(Static(v), right) for v in sorted(members, key=repr)]
                return self._among(element, listed, span)
            case Static(tuple() | range() | dict() as values):
                return self._among(element, [self._evaluation.number(Static(v), right) for v in values], span)
            case Static(type() as cls) if issubclass(cls, Enum):
                return self._among(element, [n.Const(span, number_of(member)) for member in cls], span)
            case TupleOf(items) | SetOf(items):
                parts = [self._evaluation.number(item, right) for item in items]
                return self._among(element, parts, span)
            case RangeOf(start, stop, step) if constant(step) == 1:
                return Scalar(self._between(element, start, stop, span))
            case ArrayRef(dims=(size,)):
                return Scalar(self._in_array(element, container, size, node))
            case TableRef():
                what = "membership in a row of a table is not part of the language"
                self._body.reject(node, what, "use any(... for ...)")
            case _:
                self._body.reject(node, "this cannot be searched", "use a tuple, a range or an Array of numbers")

    def _searched(self, container: Value, node: ast.expr) -> Sequence[Value]:
        """The items of a tuple, or of a set or a dict that is written out or known now."""
        match container:
            case SetOf(items):
                return items
            case Static(frozenset() | dict() as known):
                return [self._body.known(item, node) for item in in_some_order(known)]
            case _:
                return self._compounds.items_of(container, node)

    def _known_membership(self, element: object, container: object, node: ast.expr) -> bool:
        if isinstance(container, type) and issubclass(container, Enum):
            return any(element == member for member in container)
        if not isinstance(container, tuple | range | str | set | frozenset | dict):
            self._body.reject(node, "this cannot be searched", "use a tuple, a range or an Array of numbers")
        return element in container

    def _among(self, element: n.Expr, values: list[n.Expr], span: Span) -> Value:
        """Whether the element equals one of the values, all of which are evaluated."""
        if not values:
            self._order.drop([Scalar(element)])
            return Static(False)
        if is_plain(element) and all(is_atom(value) for value in values):
            return Scalar(_any_equal(element, values, span))
        slots = [self._body.new_slot("in") for _ in range(len(values) + 1)]
        held: list[n.Expr] = [n.Local(span, slot) for slot in slots]
        test = _any_equal(held[0], held[1:], span)
        return Scalar(self._order.truth_after(slots, [element, *values], test, span))

    def _between(self, element: n.Expr, start: n.Expr, stop: n.Expr, span: Span) -> n.Expr:
        """start <= element < stop, with everything evaluated once."""
        if is_plain(element) and is_atom(start) and is_atom(stop):
            return _within(element, start, stop, span)
        slots = [self._body.new_slot("in") for _ in range(3)]
        held: list[n.Expr] = [n.Local(span, slot) for slot in slots]
        return self._order.truth_after(slots, [element, start, stop], _within(held[0], held[1], held[2], span), span)

    def _in_array(self, element: n.Expr, array: ArrayRef, size: int, node: ast.expr) -> n.Expr:
        span = self._body.span(node)
        slot, counter = self._body.new_slot("in"), self._body.new_slot(f"{array.name}.at")
        sought = element if is_atom(element) else n.Local(span, slot)
        indices = (*self._storage.checked_indices(array), n.Local(span, counter))
        equal = n.Binary(span, n.BinaryOp.EQ, n.Read(span, array.variable, indices), sought)
        search = n.Fold(span, n.FoldOp.ANY, (rounds(span, counter, size),), equal)
        return search if sought is element else self._order.truth_after([slot], [element], search, span)


def _is_hashed(container: Value) -> bool:
    """Whether Python asks for the hash of what it looks for."""
    match container:
        case SetOf() | Static(set() | frozenset() | dict()):
            return True
        case Compound(shape=LocalShape(kind=Collection.SET | Collection.DICT)):
            return True
        case _:
            return False


def _is_dict(container: Value) -> bool:
    match container:
        case Static(dict()) | Compound(shape=MapShape() | LocalShape(kind=Collection.DICT)):
            return True
        case _:
            return False


def _is_optional_member(value: Value) -> bool:
    """Whether it is None or a member of an Enum."""
    if not is_optional(value):
        return False
    assert isinstance(value.shape, OptionalShape)
    item = value.shape.item
    return isinstance(item, ScalarShape) and item.host is not None and is_symbolic_class(item.host)


def _as_tuple(node: ast.expr) -> ast.expr:
    """A list written out to be searched is a tuple as well."""
    if isinstance(node, ast.List) and not any(isinstance(part, ast.Starred) for part in node.elts):
        return ast.copy_location(ast.Tuple(node.elts, ast.Load()), node)
    return node


def _any_equal(element: n.Expr, values: Sequence[n.Expr], span: Span) -> n.Expr:
    return disjunction([n.Binary(span, n.BinaryOp.EQ, element, value) for value in values], span)


def _within(element: n.Expr, start: n.Expr, stop: n.Expr, span: Span) -> n.Expr:
    low = n.Binary(span, n.BinaryOp.LE, start, element)
    return n.And(span, (low, n.Binary(span, n.BinaryOp.LT, element, stop)))
