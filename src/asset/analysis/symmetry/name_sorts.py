"""Which values of a program are only names: sorts of expressions, inferred from how values are used.

Values have the same sort if they are compared, if one is assigned to the other, or if both index one dimension of an
array. A sort is *rigid* if something is done with its values that tells them apart: arithmetic, or use as a truth
value. Of the others, what a permutation must respect is written down: constants, tests, tables, ranges of loops.

**Theorem.** Let p permute the values of sorts that are not rigid, keep every constant and test of theirs, commute with
every table, and keep every range of a loop, whose rounds commute. Then for each expression e of sort t and each state
s, e(p(s)) = p_t(e(s)), and for each statement, p(run(s)) = run(p(s)), by induction on the code: what is compared,
copied, looked up or used as an index is renamed on both sides. Rounds of a loop are exchanged by p; they commute if no
round reads what another writes, and what two rounds write are different cells or the same constant (or one fails, and
then all does). A fold that stops early is the same in any order if no element fails. So p is a symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from asset.analysis.symmetry.commuting_rounds import rounds_commute
from asset.analysis.symmetry.safe_folds import never_fails, slot_bounds
from asset.ir import nodes as n
from asset.ir.program import Function, Program
from asset.ir.types import BoolType

Sort = int
"""A node of the union-find; its class is the sort."""


class NotFollowed(Exception):
    """The code has something that is not looked into."""


@dataclass(frozen=True, slots=True)
class TableFact:
    """Values by positions, each of a sort."""

    indices: tuple[Sort, ...]
    dims: tuple[int, ...]
    values: tuple[int, ...]
    result: Sort


@dataclass
class NameSorts:
    """The sorts of a program. A value of a node is, in the coordinates of its class, the value plus a shift."""

    program: Program
    constants: list[tuple[Sort, int]] = field(default_factory=list)
    tests: list[tuple[Sort, Callable[[int], bool]]] = field(default_factory=list)
    tables: list[TableFact] = field(default_factory=list)
    _parents: list[tuple[Sort, int]] = field(default_factory=list)
    _rigid: set[Sort] = field(default_factory=set)
    _slots: dict[tuple[int, int], Sort] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.plain = self._new()
        self._rigid.add(self.plain)
        self.values = [self._new() for _ in self.program.variables]
        self.dims = [tuple(self._new() for _ in variable.dims) for variable in self.program.variables]
        for variable, value, dims in zip(self.program.variables, self.values, self.dims, strict=True):
            if isinstance(variable.type, BoolType):
                self.fix(value)
            self.tests.append((value, variable.type.__contains__))
            for size, dim in zip(variable.dims, dims, strict=True):
                self.tests.append((dim, range(size).__contains__))

    # --- classes ----------------------------------------------------------------------------------------------------

    def _new(self) -> Sort:
        self._parents.append((len(self._parents), 0))
        return len(self._parents) - 1

    def root(self, sort: Sort) -> tuple[Sort, int]:
        """The class, and what is added to a value to have it in the coordinates of the class."""
        shift = 0
        while self._parents[sort][0] != sort:
            sort, step = self._parents[sort]
            shift += step
        return sort, shift

    def is_rigid(self, sort: Sort) -> bool:
        return self.root(sort)[0] in self._rigid

    def fix(self, sort: Sort) -> None:
        self._rigid.add(self.root(sort)[0])

    def unify(self, a: Sort, b: Sort) -> None:
        """Equal values of the two are the same name."""
        (ra, sa), (rb, sb) = self.root(a), self.root(b)
        if ra == rb:
            if sa != sb:
                self._rigid.add(ra)  # a name is the next one of another
            return
        self._parents[rb] = ra, sa - sb
        if rb in self._rigid:
            self._rigid.add(ra)

    def slot(self, function: int, slot: int) -> Sort:
        if (function, slot) not in self._slots:
            self._slots[function, slot] = self._new()
        return self._slots[function, slot]

    # --- code -------------------------------------------------------------------------------------------------------

    def function(self, number: int) -> None:
        """Infers what the function does with its values."""
        code = self.program.functions[number]
        if code.opaque:
            raise NotFollowed
        _Inference(self, number, code).block(code.body)


@dataclass
class _Inference:
    sorts: NameSorts
    number: int
    code: Function

    def __post_init__(self) -> None:
        self._slot_bounds = slot_bounds(self.sorts.program, self.number)

    def block(self, body: tuple[n.Stmt, ...]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, s: n.Stmt) -> None:
        sorts = self.sorts
        match s:
            case n.SetLocal(slot=slot, value=value):
                sorts.unify(self._slot(slot), self._sort(value))
            case n.SetState(variable=variable, indices=indices, value=value):
                self._index(variable, indices)
                sorts.unify(sorts.values[variable], self._sort(value))
            case n.If(cases=cases, orelse=orelse):
                for case in cases:
                    self._truth(case.test)
                    self.block(case.body)
                self.block(orelse)
            case n.For():
                if self._range(s.slot, s) and not rounds_commute(self.code, s):
                    sorts.fix(self._slot(s.slot))
                self.block(s.body)
            case n.While(test=test, body=body):
                self._truth(test)
                self.block(body)
            case n.When(test=test) | n.Evaluate(value=test) | n.Return(value=n.Node() as test):
                self._truth(test)
            case n.Break() | n.Continue() | n.Return() | n.Fail() | n.Mark():
                pass
            case _:
                raise NotFollowed

    def _slot(self, slot: int) -> Sort:
        return self.sorts.slot(self.number, slot)

    def _truth(self, e: n.Expr) -> None:
        self.sorts.fix(self._sort(e))

    def _index(self, variable: int, indices: tuple[n.Expr, ...]) -> None:
        for dim, index in zip(self.sorts.dims[variable], indices, strict=True):
            self.sorts.unify(dim, self._sort(index))

    def _range(self, slot: int, loop: n.For | n.Generator) -> bool:
        """Whether the loop goes through numbers that are known, of which the sort of its slot must keep the set."""
        match loop.start, loop.stop, loop.step:
            case n.Const(value=start), n.Const(value=stop), n.Const(value=1):
                self.sorts.tests.append((self._slot(slot), range(start, stop).__contains__))
                return True
        for each in (loop.start, loop.stop, loop.step):
            self._truth(each)
        self.sorts.fix(self._slot(slot))
        return False

    # --- expressions ------------------------------------------------------------------------------------------------

    def _sort(self, e: n.Expr) -> Sort:
        sorts = self.sorts
        match e:
            case n.Const(value=value):
                found = sorts._new()
                sorts.constants.append((found, value))
                return found
            case n.Local(slot=slot):
                return self._slot(slot)
            case n.Read(variable=variable, indices=indices):
                self._index(variable, indices)
                return sorts.values[variable]
            case n.Table():
                return self._table(e)
            case n.Conditional(test=test, then=then, orelse=orelse):
                self._truth(test)
                found = self._sort(then)
                sorts.unify(found, self._sort(orelse))
                return found
            case n.Binary():
                return self._binary(e)
            case n.Unary(operand=operand):
                self._truth(operand)
            case n.And(operands=operands) | n.Or(operands=operands):
                for operand in operands:
                    self._truth(operand)
            case n.Fold():
                self._fold(e)
            case _:
                raise NotFollowed
        return sorts.plain

    def _table(self, e: n.Table) -> Sort:
        sorts = self.sorts
        indices = tuple(self._sort(index) for index in e.indices)
        for size, index in zip(e.dims, indices, strict=True):
            sorts.tests.append((index, range(size).__contains__))
        result = sorts._new()
        sorts.tables.append(TableFact(indices, e.dims, e.values, result))
        return result

    def _binary(self, e: n.Binary) -> Sort:
        sorts = self.sorts
        match e.op, e.left, e.right:
            case n.BinaryOp.EQ | n.BinaryOp.NE, left, right:
                sorts.unify(self._sort(left), self._sort(right))
            case n.BinaryOp.ADD, left, n.Const(value=value):
                return self._shifted(left, value)
            case n.BinaryOp.SUB, left, n.Const(value=value):
                return self._shifted(left, -value)
            case op, left, n.Const(value=value) if op in _TESTS:
                sorts.tests.append((self._sort(left), _test(_TESTS[op], value)))
            case _, left, right:
                self._truth(left)
                self._truth(right)
        return sorts.plain

    def _shifted(self, e: n.Expr, by: int) -> Sort:
        """The sort of the expression plus a constant: the same names, each so much larger."""
        base, found = self._sort(e), self.sorts._new()
        root, shift = self.sorts.root(base)
        self.sorts._parents[found] = root, shift - by
        return found

    def _fold(self, e: n.Fold) -> None:
        for generator in e.generators:
            self._range(generator.slot, generator)
            for bind in generator.binds:
                self.sorts.unify(self._slot(bind.slot), self._sort(bind.value))
            if generator.test is not None:
                self._truth(generator.test)
            if e.op is not n.FoldOp.SUM and not self._never_fails(e):
                self.sorts.fix(self._slot(generator.slot))  # whether it fails depends on where it stops
        self._truth(e.element)
        if e.default is not None:
            self._truth(e.default)
        if e.op not in (n.FoldOp.ANY, n.FoldOp.ALL, n.FoldOp.SUM):
            raise NotFollowed

    def _never_fails(self, fold: n.Fold) -> bool:
        return never_fails(fold, self._slot_bounds, self.sorts.program.variables)


_TESTS: dict[n.BinaryOp, Callable[[int, int], bool]] = {
    n.BinaryOp.LT: lambda a, b: a < b,
    n.BinaryOp.LE: lambda a, b: a <= b,
    n.BinaryOp.GT: lambda a, b: a > b,
    n.BinaryOp.GE: lambda a, b: a >= b,
}


def _test(op: Callable[[int, int], bool], bound: int) -> Callable[[int], bool]:
    return lambda value: op(value, bound)


def positions(dims: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All positions of an array, row by row."""
    if not dims:
        yield ()
        return
    for first in range(dims[0]):
        for rest in positions(dims[1:]):
            yield (first, *rest)
