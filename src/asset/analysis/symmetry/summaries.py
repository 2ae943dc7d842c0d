"""What a command does, and what a predicate says, as terms: all ways through the code at once.

Code is run on terms. If it branches, both ways are run, each under its condition, and what differs is chosen by that
condition afterwards. Loops are unrolled, functions inlined. Code that this cannot follow has no summary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from asset.analysis.symmetry.merged_execution import MergedExecution
from asset.analysis.symmetry.merged_values import Traced
from asset.analysis.symmetry.prime_implicants import PrimeImplicants
from asset.analysis.symmetry.terms import Term, Terms
from asset.analysis.watch import Watch
from asset.ir.program import Family, Program, Style
from asset.ir.requirements import Predicate


@dataclass(frozen=True, slots=True)
class TermSummary:
    """If `fault` holds, a model error occurs. Else the command is disabled unless `guard` holds, and then each cell
    of `updates` becomes that number; of a predicate, `guard` is that it holds."""

    guard: Term
    fault: Term
    updates: Mapping[int, Term]


class Summarizer:
    """Raises Beyond if code cannot be followed, OutOfTime if there is no time to."""

    def __init__(self, program: Program, terms: Terms, watch: Watch | None = None) -> None:
        self.watch = watch or Watch()
        self.program = program
        self.terms = terms
        self.cells = terms.cells
        self.prime_implicants = PrimeImplicants(terms, self.watch)

    def command(self, family: Family, indices: tuple[int, ...]) -> TermSummary:
        return self._command(self._run(), family, indices)

    def predicate(self, predicate: Predicate) -> TermSummary:
        return self._predicate(self._run(), predicate)

    def traced_command(self, family: Family, indices: tuple[int, ...]) -> Traced:
        run = self._run()
        self._command(run, family, indices)
        return run.traced

    def traced_predicate(self, predicate: Predicate) -> Traced:
        run = self._run()
        self._predicate(run, predicate)
        return run.traced

    def _run(self) -> MergedExecution:
        return MergedExecution(self.program, self.terms, self.watch)

    def _command(self, run: MergedExecution, family: Family, indices: tuple[int, ...]) -> TermSummary:
        self.terms.begin()
        result = run.call(family.function, [self.terms.constant(k) for k in indices], self.terms.true)
        if family.style is Style.FIRE:
            fires = self.terms.truth(result)
            run.fails(self.terms.both(self.terms.negation(fires), run.changed()))
            run.require(fires, self.terms.true)
        return TermSummary(run.guard, run.fault, run.updates())

    def _predicate(self, run: MergedExecution, predicate: Predicate) -> TermSummary:
        self.terms.begin()
        result = run.call(predicate.function, [], self.terms.true)
        holds = self.terms.zero(result) if predicate.messages else self.terms.truth(result)
        return TermSummary(holds, run.fault, {})
