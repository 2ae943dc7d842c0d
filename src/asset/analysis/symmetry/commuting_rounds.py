"""Loops whose rounds can be run in any order with the same outcome, as far as the text tells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from asset.ir import nodes as n
from asset.ir.program import Function


def rounds_commute(code: Function, loop: n.For) -> bool:
    """No round reads what another writes, and what two rounds write are different cells or the same constant.

    A round that fails makes all fail in any order, unless another one disables the command: so there is no `when`.
    """
    inside = list(n.walk(*loop.body))
    if any(isinstance(each, n.When | n.Break | n.Continue | n.Return | n.While | n.Call) for each in inside):
        return False
    if any(isinstance(each, n.SetLocal | n.For | n.Generator | n.Bind) and each.slot == loop.slot for each in inside):
        return False  # then it does not say which round it is
    writes = [each for each in inside if isinstance(each, n.SetState)]
    written = {each.variable for each in writes}
    if any(isinstance(each, n.Read) and not each.before and each.variable in written for each in inside):
        return False
    return _apart(writes, loop.slot) and _locals_are_of_a_round(code, loop)


def _apart(writes: list[n.SetState], slot: int) -> bool:
    by_variable: dict[int, list[n.SetState]] = defaultdict(list)
    for each in writes:
        by_variable[each.variable].append(each)
    return all(_different_cells(sites, slot) or _same_constant(sites) for sites in by_variable.values())


def _different_cells(sites: list[n.SetState], slot: int) -> bool:
    """Whether in some dimension each of them has the loop's slot, with the same constant added, as its index."""
    places = [{(k, by) for k, index in enumerate(each.indices) for by in _offset(index, slot)} for each in sites]
    return bool(set.intersection(*places))


def _offset(index: n.Expr, slot: int) -> Iterator[int]:
    match index:
        case n.Local(slot=found) if found == slot:
            yield 0
        case n.Binary(op=n.BinaryOp.ADD, left=n.Local(slot=found), right=n.Const(value=value)) if found == slot:
            yield value
        case n.Binary(op=n.BinaryOp.SUB, left=n.Local(slot=found), right=n.Const(value=value)) if found == slot:
            yield -value


def _same_constant(sites: list[n.SetState]) -> bool:
    values = {each.value.value if isinstance(each.value, n.Const) else None for each in sites}
    return len(values) == 1 and None not in values


def _locals_are_of_a_round(code: Function, loop: n.For) -> bool:
    """Locals that rounds assign are assigned before they are read in a round, and not read outside the loop; or all
    rounds assign the same constant, which is not read in the loop."""
    inside = list(n.walk(*loop.body))
    constants: dict[int, set[int | None]] = defaultdict(set)
    for each in inside:
        if isinstance(each, n.SetLocal):
            constants[each.slot].add(each.value.value if isinstance(each.value, n.Const) else None)
        elif isinstance(each, n.For | n.Generator | n.Bind):
            constants[each.slot].add(None)
    constants[loop.slot].add(None)
    reads_inside = Counter(each.slot for each in inside if isinstance(each, n.Local))
    reads = Counter(each.slot for each in code.nodes if isinstance(each, n.Local))
    flags = {s for s, values in constants.items() if len(values) == 1 and None not in values and s not in reads_inside}
    changing = set(constants) - flags
    if any(reads[slot] != reads_inside[slot] for slot in changing):
        return False
    return _Assigned(changing).block(loop.body, {loop.slot}) is not None


class _Assigned:
    """Definite assignment: which of the locals have a value of this round."""

    def __init__(self, changing: set[int]) -> None:
        self._changing = changing

    def block(self, body: tuple[n.Stmt, ...], before: set[int]) -> set[int] | None:
        """Those that are assigned behind the statements; None if one may be read before."""
        assigned: set[int] | None = set(before)
        for statement in body:
            if assigned is None:
                return None
            assigned = self._statement(statement, assigned)
        return assigned

    def _statement(self, s: n.Stmt, assigned: set[int]) -> set[int] | None:
        match s:
            case n.SetLocal(slot=slot, value=value):
                return assigned | {slot} if self._fine(assigned, value) else None
            case n.If(cases=cases, orelse=orelse):
                if not self._fine(assigned, *(case.test for case in cases)):
                    return None
                ends = [self.block(body, assigned) for body in (*(case.body for case in cases), orelse)]
                known = [each for each in ends if each is not None]
                return set.intersection(*known) if len(known) == len(ends) else None
            case n.For(slot=slot, start=start, stop=stop, step=step, body=body):
                if not self._fine(assigned, start, stop, step) or self.block(body, assigned | {slot}) is None:
                    return None
                return assigned
        return assigned if self._fine(assigned, s) else None

    def _fine(self, assigned: set[int], *nodes: n.Node) -> bool:
        """Whether what is read is assigned; slots of folds are bound inside them."""
        inner: set[int] = set()
        for each in n.walk(*nodes):
            if isinstance(each, n.Generator | n.Bind):
                inner.add(each.slot)
        return all(
            each.slot in assigned or each.slot in inner or each.slot not in self._changing
            for each in n.walk(*nodes)
            if isinstance(each, n.Local)
        )
