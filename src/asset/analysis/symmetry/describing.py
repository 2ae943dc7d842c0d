"""Describing a program: its commands and what is asked of it, worked out as terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from asset.analysis.symmetry.described_program import DescribedProgram
from asset.analysis.symmetry.effects import Effect, canonical, effect_of
from asset.analysis.symmetry.summaries import Summarizer, TermSummary
from asset.analysis.symmetry.taken_values import constant_cells
from asset.analysis.symmetry.terms import Beyond, Term, Terms
from asset.analysis.symmetry.terms_where import TermsWhere
from asset.analysis.symmetry.used_cells import UsedCells
from asset.analysis.values.state_access import touched_cells
from asset.analysis.watch import OutOfTime, Watch
from asset.ir.program import Program
from asset.ir.requirements import Requirement, command_sets

MOST_BEYOND = 3
"""Commands of one function that are too complicated to follow, before the others are not tried."""


def describe(program: Program, requirements: Iterable[Requirement], watch: Watch | None = None) -> DescribedProgram:
    """The program with what the requirements ask of states and of commands.

    When the time is over, what is left is not followed.
    """
    watch = watch or Watch()
    kept = list(requirements)
    sets = list(dict.fromkeys(named for each in kept for named in command_sets(each)))
    cells = UsedCells(program)
    terms = Terms(cells)
    summarizer = Summarizer(program, terms, watch)
    described = DescribedProgram(program, terms, [], {}, sets)
    beyond = Counter[int]()
    for command, (family, indices) in enumerate(program.commands):
        roles = frozenset(number for number, named in enumerate(sets) if command in named)
        try:
            if beyond[family.function] == MOST_BEYOND:
                raise Beyond
            watch.at("what commands do", command, program.nr_commands)
            described.effects.append(effect_of(summarizer, summarizer.command(family, indices), roles))
        except (Beyond, RecursionError, OutOfTime):
            beyond[family.function] += beyond[family.function] < MOST_BEYOND
            described.effects.append(None)
            described.unfollowed[command] = _touched(program, family.function)
    for predicate in dict.fromkeys(each for requirement in kept for each in requirement.predicates):
        try:
            described.predicates[predicate] = canonical(summarizer, summarizer.predicate(predicate))
        except (Beyond, RecursionError, OutOfTime):
            described.predicates[predicate] = _touched(program, predicate.function)
    try:
        return _settled(described, summarizer)
    except (Beyond, RecursionError, OutOfTime):
        return described


def _touched(program: Program, function: int) -> set[int]:
    reads, writes = touched_cells(program, function)
    return {*reads, *writes}


def _settled(described: DescribedProgram, summarizer: Summarizer) -> DescribedProgram:
    """The same with the values of cells that never change instead of these cells."""
    constants = constant_cells(described)
    where, condition = TermsWhere(described.terms, constants), summarizer.prime_implicants.condition

    def settled(summary: TermSummary | set[int]) -> TermSummary | set[int]:
        if isinstance(summary, set):
            return summary
        return replace(summary, guard=condition(where.of(summary.guard)), fault=condition(where.of(summary.fault)))

    effects = [None if effect is None else _settled_effect(effect, where, condition) for effect in described.effects]
    predicates = {predicate: settled(summary) for predicate, summary in described.predicates.items()}
    return replace(described, effects=effects, predicates=predicates, constants=constants)


def _settled_effect(effect: Effect, where: TermsWhere, condition: Callable[[Term], Term]) -> Effect:
    def settled(term: Term) -> Term:
        return condition(where.of(term))

    becomes = {
        cell: frozenset((settled(c), at) for c, at in listed if settled(c) != where.terms.false)
        for cell, listed in effect.becomes
        if cell not in where.places
    }
    return replace(
        effect,
        guard=settled(effect.guard),
        fault=settled(effect.fault),
        becomes=frozenset((cell, listed) for cell, listed in becomes.items() if listed),
        values=frozenset((cell, where.of(number)) for cell, number in effect.values),
    )
