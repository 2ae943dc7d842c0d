"""Describing a program: its commands and what is asked of it, worked out as terms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
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


def describe(program: Program, requirements: Iterable[Requirement], watch: Watch | None = None) -> DescribedProgram:
    """The program with what the requirements ask of states and of commands.

    When the time is over, what is left is not followed. If a command is too complicated, no other one of its function
    is followed: all that the function touches stays in any case, so there is nothing to be known of them.
    """
    watch = watch or Watch()
    kept = list(requirements)
    sets = list(dict.fromkeys(named for each in kept for named in command_sets(each)))
    cells = UsedCells(program)
    terms = Terms(cells)
    summarizer = Summarizer(program, terms, watch)
    described = DescribedProgram(program, terms, [None] * program.nr_commands, {}, sets)
    beyond = set[int]()
    for done, command in enumerate(_in_order(program)):
        family, indices = program.commands[command]
        roles = frozenset(number for number, named in enumerate(sets) if command in named)
        try:
            if family.function in beyond:
                continue
            watch.at("what commands do", done, program.nr_commands)
            described.effects[command] = effect_of(summarizer, summarizer.command(family, indices), roles)
        except (Beyond, RecursionError, OutOfTime):
            beyond.add(family.function)
    _leave_out(described, beyond)
    for predicate in dict.fromkeys(each for requirement in kept for each in requirement.predicates):
        try:
            described.predicates[predicate] = canonical(summarizer, summarizer.predicate(predicate))
        except (Beyond, RecursionError, OutOfTime):
            described.predicates[predicate] = _touched(program, predicate.function)
    try:
        return _settled(described, summarizer)
    except (Beyond, RecursionError, OutOfTime):
        return described


def _in_order(program: Program) -> list[int]:
    """All commands, the last one of each function first: often the first ones do less, as what they choose is nothing,
    and the sooner it is seen that a function is too complicated, the better."""
    last = {family.function: command for command, (family, _) in enumerate(program.commands)}
    return list(dict.fromkeys([*last.values(), *range(program.nr_commands)]))


def _leave_out(described: DescribedProgram, functions: Collection[int]) -> None:
    """The commands of these functions are not followed."""
    touched = {function: _touched(described.program, function) for function in functions}
    for command, (family, _) in enumerate(described.program.commands):
        if family.function in functions:
            described.effects[command] = None
            described.unfollowed[command] = touched[family.function]


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
