"""Conditions of rules as expressions of the IR that never fault, each kept once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping

from asset.analysis.stubborn.symbolic_values import Relation, Truth
from asset.analysis.values.domains import CellDomains, bits
from asset.analysis.values.linear import Weights
from asset.ir import nodes as n
from asset.ir.derived import ALWAYS
from asset.span import NOWHERE

_WORD = 63
"""A set of values that are less than this apart can be a constant of which a bit is taken."""


class RuleFacts:
    """Numbers conditions; `expressions` has one for each."""

    def __init__(self, cells: CellDomains, values: list[int]) -> None:
        self.cells = cells
        self.values = values
        self.expressions: list[n.Expr] = []
        self._keys: list[object] = []
        self._numbers: dict[object, int] = {}

    def among(self, cell: int, mask: int) -> int:
        """That the cell has one of the values, given that it has one that it can have."""
        mask &= self.values[cell]
        if mask == self.values[cell]:
            return ALWAYS
        return self._number(("among", cell, mask), lambda: self._membership(cell, mask))

    def true(self, atom: Truth) -> int:
        return self._number(atom, lambda: self._relation(atom))

    def all_of(self, guard: Mapping[int, int], atoms: Iterable[Truth]) -> tuple[int, ...]:
        """The facts that say together that guard and atoms hold."""
        found = {self.among(cell, mask) for cell, mask in guard.items()} | {self.true(atom) for atom in atoms}
        return tuple(sorted(found - {ALWAYS}))

    def both(self, facts: tuple[int, ...]) -> int:
        """One fact for several that all hold."""
        if not facts:
            return ALWAYS
        if len(facts) == 1:
            return facts[0]
        parts = tuple(self.expressions[fact] for fact in facts)
        return self._number(("all", facts), lambda: n.And(NOWHERE, parts))

    def any_of(self, facts: frozenset[int]) -> int:
        """One fact for several of which at least one holds."""
        if ALWAYS in facts:
            return ALWAYS
        if len(facts) == 1:
            return next(iter(facts))
        parts = tuple(self.expressions[fact] for fact in sorted(facts))
        return self._number(("any", facts), lambda: n.Or(NOWHERE, parts))

    def none_of(self, conditions: list[tuple[int, ...]]) -> int:
        """That none of the conjunctions holds."""
        key = ("none", frozenset(conditions))
        disjuncts = [self.both(facts) for facts in conditions]
        parts = tuple(self.expressions[fact] for fact in disjuncts)
        return self._number(key, lambda: n.Unary(NOWHERE, n.UnaryOp.NOT, n.Or(NOWHERE, parts)))

    def _number(self, key: object, make: Callable[[], n.Expr]) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.expressions)
            self.expressions.append(make())
            self._keys.append(key)
        return self._numbers[key]

    # --- in words -----------------------------------------------------------------------------------------------

    def text(self, fact: int) -> str:
        """The fact as a person would say it."""
        match self._keys[fact]:
            case "among", int(cell), int(mask):
                return f"{self.cells.program.cell_names[cell]} is {self.cells.show(cell, mask)}"
            case "all", tuple(facts):
                return " and ".join(map(self.text, facts))
            case "any", frozenset(facts):
                return " or ".join(map(self.text, sorted(facts)))
            case Truth(sum=total, relation=relation):
                names = " and ".join(self.cells.program.cell_names[cell] for cell, _ in total.terms)
                return f"what is summed up of {names} is {relation.value}"
        return "it is disabled"

    # --- expressions --------------------------------------------------------------------------------------------

    def _read(self, cell: int) -> n.Expr:
        program = self.cells.program
        variable = bisect_right(program.offsets, cell) - 1
        at, indices = cell - program.offsets[variable], list[n.Expr]()
        for size in reversed(program.variables[variable].dims):
            at, index = divmod(at, size)
            indices.append(_const(index))
        return n.Read(NOWHERE, variable, tuple(reversed(indices)))

    def _membership(self, cell: int, mask: int) -> n.Expr:
        domain, possible = self.cells.domains[cell], self.values[cell]
        assert domain is not None
        read = self._read(cell)
        rest = possible & ~mask
        if mask.bit_count() == 1:
            return _binary(n.BinaryOp.EQ, read, _const(domain[mask.bit_length() - 1]))
        if rest.bit_count() == 1:
            return _binary(n.BinaryOp.NE, read, _const(domain[rest.bit_length() - 1]))
        if mask.bit_length() <= (rest & -rest).bit_length():
            return _binary(n.BinaryOp.LE, read, _const(domain[mask.bit_length() - 1]))
        if rest.bit_length() <= (mask & -mask).bit_length():
            return _binary(n.BinaryOp.GE, read, _const(domain[(mask & -mask).bit_length() - 1]))
        return self._one_of(read, [domain[k] for k in bits(mask)], domain)

    def _one_of(self, read: n.Expr, values: list[int], domain: tuple[int, ...]) -> n.Expr:
        if domain[-1] - domain[0] >= _WORD:
            return n.Or(NOWHERE, tuple(_binary(n.BinaryOp.EQ, read, _const(value)) for value in values))
        word = sum(1 << value - domain[0] for value in values)
        shifted = _binary(n.BinaryOp.RSHIFT, _const(word), _binary(n.BinaryOp.SUB, read, _const(domain[0])))
        return _binary(n.BinaryOp.AND, shifted, _const(1))

    def _relation(self, atom: Truth) -> n.Expr:
        total: n.Expr = _const(atom.sum.constant)
        for cell, weights in atom.sum.terms:
            total = _binary(n.BinaryOp.ADD, total, self._term(cell, weights))
        op = {Relation.POSITIVE: n.BinaryOp.GT, Relation.ZERO: n.BinaryOp.EQ, Relation.NONZERO: n.BinaryOp.NE}
        return _binary(op[atom.relation], total, _const(0))

    def _term(self, cell: int, weights: Weights) -> n.Expr:
        domain = self.cells.domains[cell]
        assert domain is not None
        read = self._read(cell)
        slope = weights[1] - weights[0]
        if all(w - weights[0] == slope * (x - domain[0]) for x, w in zip(domain, weights, strict=True)):
            scaled = read if slope == 1 else _binary(n.BinaryOp.MUL, _const(slope), read)
            return _binary(n.BinaryOp.ADD, scaled, _const(weights[0] - slope * domain[0]))
        if len(set(weights)) == 2:
            low, high = sorted(set(weights))
            chosen = sum(1 << k for k, w in enumerate(weights) if w == high)
            indicator = _binary(n.BinaryOp.NE, self._whole_membership(cell, chosen), _const(0))
            return _binary(n.BinaryOp.ADD, _const(low), _binary(n.BinaryOp.MUL, _const(high - low), indicator))
        by_value = dict(zip(domain, weights, strict=True))
        table = tuple(by_value.get(x, 0) for x in range(domain[0], domain[-1] + 1))
        place = _binary(n.BinaryOp.SUB, read, _const(domain[0]))
        return n.Table(NOWHERE, "weights", (len(table),), table, (place,))

    def _whole_membership(self, cell: int, mask: int) -> n.Expr:
        domain = self.cells.domains[cell]
        assert domain is not None
        return self._one_of(self._read(cell), [domain[k] for k in bits(mask)], domain)


def _const(value: int) -> n.Const:
    return n.Const(NOWHERE, value)


def _binary(op: n.BinaryOp, left: n.Expr, right: n.Expr) -> n.Binary:
    return n.Binary(NOWHERE, op, left, right)
