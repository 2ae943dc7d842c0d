"""The updates of a step: which of them could contradict each other, and what of that can be told from the text.

Two updates *conflict* if they give one location different values. They cannot if they are in branches that exclude
each other, if they give the same value, or if their locations differ for certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from asset.frontends.asm import code as c
from asset.frontends.asm.storage import CellUpdate
from asset.ir import nodes as n
from asset.ir.program import Variable
from asset.ir.types import BoolType, EnumType, IntType, ScalarType
from asset.span import Span

Path = tuple[tuple[int, int], ...]
"""The way to a rule: of each branching its number and the branch."""


@dataclass(frozen=True, slots=True)
class Site:
    """An update as it is written, in one place of the main rule with all that it calls."""

    function: str
    rule: str
    span: Span
    path: Path
    certain: int
    """How many branchings of the path are outside all loops: in these, every round goes the same way."""
    loops: frozenset[int]
    """The slots of the loops around it."""
    cells: tuple[CellUpdate, ...]


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Which sites are to be compared with which, and how many pairs were discharged."""

    rivals: dict[int, tuple[int, ...]]
    left: int
    discharged: int


def conflicts(sites: Sequence[Site]) -> Conflicts:
    """The pairs of updates of one function that may conflict; an update in a loop is paired with itself."""
    rivals: dict[int, set[int]] = {}
    left = discharged = 0
    for i, one in enumerate(sites):
        for k in range(i + 1):
            other = sites[k]
            if one.function != other.function or (i == k and not one.loops):
                continue
            if compatible(one, other, i == k):
                discharged += 1
            else:
                left += 1
                rivals.setdefault(i, set()).add(k)
                rivals.setdefault(k, set()).add(i)
    return Conflicts({site: tuple(sorted(others)) for site, others in rivals.items()}, left, discharged)


def compatible(one: Site, other: Site, itself: bool) -> bool:
    """Whether the text tells that the updates do not conflict; if both are the same, in different rounds of loops."""
    if exclusive(one.path[: one.certain], other.path[: other.certain]):
        return True
    if _of_one_round(one, other) and exclusive(one.path, other.path):
        return True
    if itself:
        # A local may have been made of what the loop goes through, as that of a let.
        return _rounds_differ(one) or not any(c.slots_in(cell.value) for cell in one.cells)
    return _same_values(one, other) or _elsewhere(one, other)


def exclusive(a: Path, b: Path) -> bool:
    """Whether the ways part somewhere: only one of them is gone, or one before the other."""
    branches = dict(a)
    return any(branches.get(number, branch) != branch for number, branch in b)


def _rounds_differ(site: Site) -> bool:
    """Whether each round of the loops updates another location: their slots are indices."""
    at = {index.slot for cell in site.cells[:1] for index in map(_bare, cell.indices) if isinstance(index, n.Local)}
    return site.loops <= at


def _of_one_round(one: Site, other: Site) -> bool:
    """Whether they can update one location only in the same round of their loops: an index is the same loop's slot."""
    pairs = zip(one.cells[0].indices, other.cells[0].indices, strict=True)
    shared = {a.slot for a, b in pairs if isinstance(a, n.Local) and c.same(a, b)}
    return one.loops == other.loops and one.loops <= shared


def _bare(index: n.Expr) -> n.Expr:
    """Without what is subtracted from it: the least index."""
    match index:
        case n.Binary(op=n.BinaryOp.SUB | n.BinaryOp.ADD, left=left, right=n.Const()):
            return left
    return index


def _same_values(one: Site, other: Site) -> bool:
    pairs = list(zip(one.cells, other.cells, strict=False))
    known = all(c.known(a.value) is not None and c.known(a.value) == c.known(b.value) for a, b in pairs)
    return len(one.cells) == len(other.cells) and known


def _elsewhere(one: Site, other: Site) -> bool:
    """Whether they update different locations for certain."""
    pairs = zip(one.cells[0].indices, other.cells[0].indices, strict=True)
    return any(c.known(a) is not None and c.known(b) is not None and c.known(a) != c.known(b) for a, b in pairs)


def ranges_left(
    sites: Sequence[Site],
    variables: Sequence[Variable],
    known: Mapping[int, Sequence[int]],
    written_out: Callable[[n.Expr], n.Expr],
) -> int:
    """How many updates may leave the range of their function, as far as the text tells. `known` are the values of
    locals, unless they are written out."""
    types = [variable.type for variable in variables]
    return sum(
        not all(_certain(written_out(cell.value), types[cell.variable], types, known) for cell in site.cells)
        for site in sites
    )


def _certain(e: n.Expr, wanted: ScalarType, types: Sequence[ScalarType], known: Mapping[int, Sequence[int]]) -> bool:
    """Whether every value of the expression is one of the type."""
    match e:
        case n.Const(value=value):
            return value in wanted
        case n.Read(variable=variable):
            return types[variable] == wanted or _all_in(types[variable], wanted)
        case n.Local(slot=slot):
            return slot in known and all(code in wanted for code in known[slot])
        case n.Table(values=values):
            return all(value in wanted for value in values)
        case n.Conditional(then=then, orelse=orelse):
            return all(_certain(each, wanted, types, known) for each in (then, orelse))
    return isinstance(wanted, BoolType)


def _all_in(given: ScalarType, wanted: ScalarType) -> bool:
    codes = [code for _, code in given.members] if isinstance(given, EnumType) else [given.lo, given.hi]
    solid = isinstance(wanted, IntType | BoolType)
    return (solid or isinstance(given, EnumType)) and all(code in wanted for code in codes)
