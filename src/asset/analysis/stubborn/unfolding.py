"""From code to paths: commands and properties are unfolded into the ways through them, with indices bound.

Loops over known ranges are unrolled, functions inlined, folds expanded, program counters and index variables split by
their values: partial evaluation does all of that. If there are too many ways, or too long ones, what is left becomes
an opaque path with all cells that the code may read and write: coarser, and still true (see `paths`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asset.analysis.stubborn.paths import Cause, Path, Update
from asset.analysis.stubborn.runs import Choices, Opaque, SymbolicRun, UnfoldingEffort
from asset.analysis.stubborn.symbolic_execution import SymbolicExecution
from asset.analysis.stubborn.symbolic_values import Appended, UnknownValue, Value, cells_of
from asset.analysis.values.domains import CellDomains
from asset.analysis.values.linear import Linear
from asset.analysis.values.state_access import touched_cells
from asset.analysis.watch import Watch
from asset.ir import nodes as n
from asset.ir.evaluation import CommandDisabled
from asset.ir.faults import Fault, FaultKind
from asset.ir.program import Family, Style
from asset.ir.requirements import Predicate

ALTOGETHER = 50
"""All pieces of code together may take as many steps as so many of them may."""


@dataclass(frozen=True, slots=True)
class Unfolded:
    """The paths on which a command fires, or a property is violated; and those that end in a model error."""

    fired: list[Path]
    faulty: list[Path]


class Unfolder:
    """Unfolds code. When the time is over, all code is opaque from then on."""

    def __init__(self, cells: CellDomains, effort: UnfoldingEffort, watch: Watch | None = None) -> None:
        self.cells = cells
        self.program = cells.program
        self.effort = effort
        self.watch = watch or Watch()
        self._steps = ALTOGETHER * effort.steps
        self.taken = 0
        """Steps, so far."""
        self._execution = SymbolicExecution(self.program)
        self._touched: dict[int, tuple[frozenset[int], frozenset[int]]] = {}

    def command(self, node: int, family: Family, indices: tuple[int, ...]) -> Unfolded:
        """A command; a FIRE style one that returns false must have changed nothing."""

        def fires(run: SymbolicRun, result: Value) -> bool:
            if family.style is Style.GUARDED or run.true(result):
                return True
            updates = self._updates(run)
            if updates:
                run.ask(frozenset().union(updates, *map(cells_of, run.store.values())))
                raise Fault(FaultKind.CHANGED, family.span, "")
            return False

        return self._unfold(node, family.function, list(indices), fires)

    def predicate(self, node: int, predicate: Predicate, holds: bool) -> Unfolded:
        """A predicate: it "fires" if it holds, or if it does not. If it cannot be followed as a whole, its parts are
        followed one by one, whatever the others are."""

        def fires(run: SymbolicRun, result: Value) -> bool:
            run.store.clear()
            return (run.true(result) == bool(predicate.messages)) != holds

        whole = self._unfold(node, predicate.function, [], fires)
        if predicate.messages or not any(path.opaque for path in whole.fired):
            return whole
        body = self.program.functions[predicate.function].body
        self._execution.apart = _parts_apart(body, n.Or if holds else n.And)
        in_parts = self._unfold(node, predicate.function, [], fires) if self._execution.apart else whole
        self._execution.apart = frozenset()
        return in_parts

    def _unfold(
        self, node: int, function: int, args: list[Value], fires: Callable[[SymbolicRun, Value], bool]
    ) -> Unfolded:
        given = min(self.effort.steps, self._steps)
        choices = Choices(self.effort, given, self.watch)
        unfolded = Unfolded([], [])
        while choices.pending:
            run = SymbolicRun(self.cells, choices, choices.pending.pop())
            choices.made += 1
            try:
                if fires(run, self._execution.along(run).call(function, list(args))):
                    unfolded.fired.append(self._path(node, run, self._updates(run)))
                if run.may_fault:
                    unfolded.faulty.append(self._path(node, run, {}))
            except CommandDisabled:
                if run.may_fault:
                    unfolded.faulty.append(self._path(node, run, {}))
            except Fault:
                unfolded.faulty.append(self._path(node, run, {}))
            except Opaque as opaque:
                if choices.steps < 0:  # following the other ways would take as long again
                    run, choices.pending = SymbolicRun(self.cells, choices, []), []
                    unfolded = Unfolded([], [])
                self._end_opaque(node, function, run, opaque, unfolded)
        self.taken += given - choices.steps
        self._steps = max(0, self._steps - given + choices.steps)
        return unfolded

    def _path(self, node: int, run: SymbolicRun, updates: dict[int, Update]) -> Path:
        return Path(
            node=node,
            guard=dict(run.guard),
            atoms=tuple(run.atoms),
            hidden=frozenset(run.hidden),
            updates=updates,
            read_at=dict(run.read_at),
            written_at={cell: span for cell, span in run.written_at.items() if cell in updates},
        )

    def _updates(self, run: SymbolicRun) -> dict[int, Update]:
        """What the run makes of the cells that it may change."""
        found = {}
        for cell, stored in run.store.items():
            update = self._update(run, cell, run.simplified(stored))
            if not _is_identity(cell, update, run.mask(cell)):
                found[cell] = update
        return found

    def _update(self, run: SymbolicRun, cell: int, value: Value) -> Update:
        domain = self.cells.domains[cell]
        if domain is None:
            copied = value.copied if isinstance(value, UnknownValue) else None
            return Update(0, reads=cells_of(value), appended=isinstance(value, Appended), copied=copied)
        if isinstance(value, Appended):
            return self._appended(cell, value)
        index = self.cells.index
        match value:
            case int():
                place = index(cell, value) or 0
                return Update(1 << place, table=(place,))
            case Linear() if value.only is not None:
                source, weights = value.terms[0]
                # Only values in the guard's mask matter; what others would become need not even be in the domain.
                table = tuple(index(cell, value.constant + w) or 0 for w in weights)
                results = 0
                for k, place in enumerate(table):
                    results |= (run.mask(source) >> k & 1) << place
                return Update(results, source, table)
        lo, hi = run.interval(value)
        results = sum(1 << k for k, x in enumerate(domain) if lo <= x <= hi)
        return Update(results, reads=cells_of(value))

    def _appended(self, cell: int, value: Appended) -> Update:
        """What is in use is not the next place, so it stays; a blank one may be the next."""
        full, blank = self.cells.full[cell], self.cells.index(cell, self._execution.queues.blank(cell))
        put = sum(1 << k for k, x in enumerate(self.cells.domains[cell] or ()) if value.put.lo <= x <= value.put.hi)
        images = tuple(put | 1 << k if k == blank else 1 << k for k in range(full.bit_length()))
        reads = value.cells - {cell}
        return Update(full, cell, images=images, reads=reads, appended=True)

    def _end_opaque(self, node: int, function: int, run: SymbolicRun, opaque: Opaque, unfolded: Unfolded) -> None:
        if function not in self._touched:
            self._touched[function] = touched_cells(self.program, function)
        reads, writes = self._touched[function]
        run.ask(reads | writes)
        updates = {}
        for cell in writes | run.store.keys():
            updates[cell] = Update(self.cells.full[cell], reads=reads, certain=False)
            run.written_at.setdefault(cell, opaque.span)
        path = self._path(node, run, updates)
        cause = Cause(opaque.why, opaque.span)
        unfolded.fired.append(_opaque(path, cause, updates))
        unfolded.faulty.append(_opaque(path, cause, {}))


def _parts_apart(body: tuple[n.Stmt, ...], kind: type[n.And | n.Or]) -> frozenset[n.Node]:
    """The conjunctions (disjunctions) that what is returned is made of: it is false (true) if one of their parts is."""
    found: list[n.Node] = []
    pending = [s.value for s in body if isinstance(s, n.Return) and s.value is not None] if len(body) == 1 else []
    fold = n.FoldOp.ALL if kind is n.And else n.FoldOp.ANY
    for e in pending:  # grows
        if isinstance(e, kind):
            found.append(e)
            pending += e.operands
        elif isinstance(e, n.Fold) and e.op is fold:
            found.append(e)
            pending.append(e.element)
    return frozenset(found)


def _opaque(path: Path, cause: Cause, updates: dict[int, Update]) -> Path:
    return Path(path.node, path.guard, path.atoms, path.hidden, updates, cause, path.read_at, path.written_at)


def _is_identity(cell: int, update: Update, mask: int) -> bool:
    if update.table is None:
        return False
    if update.source is None:
        return mask == 1 << update.table[0]
    return update.source == cell and all(update.table[k] == k for k in range(mask.bit_length()) if mask >> k & 1)
