"""What will be checked, and what the reader must be told is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from asset.checks import soundness
from asset.checks.options import KINDS, CheckOptions
from asset.engine.outcome import Task, Wrong
from asset.errors import UsageError
from asset.ir.program import Program, Property, PropertyKind, Recurrence, Style
from asset.span import Span
from asset.verdict import Caveat

if TYPE_CHECKING:
    from asset.ir.derived import DerivedRules
    from asset.ir.groups import Group

PROPERTY_KINDS = {
    Wrong.INVARIANT: PropertyKind.INVARIANT,
    Wrong.TERMINAL: PropertyKind.TERMINAL,
    Wrong.MAY_PROGRESS: PropertyKind.MAY_PROGRESS,
    Wrong.MUST_PROGRESS: PropertyKind.MUST_PROGRESS,
}
"""What a violation of a property is called, for each kind."""

KIND_WORDS = {
    Wrong.INVARIANT: "safety",
    Wrong.TERMINAL: "deadlock",
    Wrong.MAY_PROGRESS: "may-progress",
    Wrong.MUST_PROGRESS: "must-progress",
    Wrong.RECURRENCE: "recurrence",
    Wrong.TERMINATION: "termination",
    Wrong.FAULT: "model-error",
}
"""The kinds of violations in a verdict; a contract."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to be answered: a property, a recurrence or termination; `index` is its number within its kind."""

    wrong: Wrong
    index: int
    name: str
    span: Span | None
    subject: Property | Recurrence | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions, in the order of the model, termination last. `options` are what will be done: stubborn=auto has
    become off where stubborn sets do not preserve something that is asked."""

    questions: tuple[Question, ...]
    caveats: tuple[Caveat, ...]
    options: CheckOptions


TERMINATION = Question(Wrong.TERMINATION, 0, "termination", None)


def plan(program: Program, options: CheckOptions) -> Plan:
    """Selects what the options ask for; an option that the model cannot honour is an error."""
    _require_reductions(program, options)
    everything = [*_properties(program), *_recurrences(program)]
    selected = [question for question in everything if options.selects(question.wrong)]
    caveats = []
    lost = [q.name for q in selected if options.stubborn == "auto" and soundness.pass_is_unreliable(q.wrong)]
    if lost:
        options = replace(options, stubborn="off", analysis_time=None)
        caveats.append(soundness.not_reduced(lost))
    stubborn_needs_it = options.stubborn != "off" and soundness.needs_termination(q.wrong for q in selected)
    if stubborn_needs_it or _asks_termination(program, options):
        selected.append(TERMINATION)
    if options.only is not None and not selected:
        raise _selects_nothing(options, everything)
    return Plan(tuple(selected), (*caveats, *_caveats(program, options, everything, selected)), options)


def vouching(planned: Plan, errors: bool) -> Plan:
    """The plan of a check by derived rules, which could not rule out model errors where `errors`."""
    questions = planned.questions
    if TERMINATION in questions or not soundness.needs_termination((q.wrong for q in questions), errors):
        return planned
    return replace(planned, questions=(*questions, TERMINATION))


def task(
    questions: Iterable[Question],
    options: CheckOptions,
    derived: DerivedRules | None = None,
    group: Group | None = None,
) -> Task:
    """What an engine is asked to do to answer the questions; with `derived`, stubborn sets are by these rules, and with
    a `group`, representatives are by it."""
    properties = dict.fromkeys(PropertyKind, 0)
    recurrences, terminates = 0, False
    for question in questions:
        if question.wrong is Wrong.RECURRENCE:
            recurrences |= 1 << question.index
        elif question.wrong is Wrong.TERMINATION:
            terminates = True
        else:
            properties[PROPERTY_KINDS[question.wrong]] |= 1 << question.index
    return Task(
        properties=properties,
        recurrences=recurrences,
        terminates=terminates,
        terminal_is_no_may_progress=options.dl_not_may,
        terminal_is_no_must_progress=options.dl_not_must,
        stubborn=options.stubborn == "hand",
        symmetry=options.symmetry != "off",
        derived=derived,
        group=group,
    )


def _properties(program: Program) -> Iterator[Question]:
    wrongs = {kind: wrong for wrong, kind in PROPERTY_KINDS.items()}
    seen = dict.fromkeys(PropertyKind, 0)
    for prop in program.properties:
        yield Question(wrongs[prop.kind], seen[prop.kind], prop.name, prop.span, prop)
        seen[prop.kind] += 1


def _recurrences(program: Program) -> Iterator[Question]:
    for index, recurrence in enumerate(program.recurrences):
        yield Question(Wrong.RECURRENCE, index, recurrence.name, recurrence.span, recurrence)


def _asks_termination(program: Program, options: CheckOptions) -> bool:
    named = options.only is not None and "termination" in options.only
    return options.termination or named or (options.only is None and program.terminates)


def _require_reductions(program: Program, options: CheckOptions) -> None:
    if options.stubborn == "hand" and all(family.rule is None for family in program.families):
        raise UsageError.of(
            f"stubborn=hand needs stubborn set rules, and {program.name} has none",
            remedy="write rules (@obligations, or next_stubborn in the ASSET style), or leave stubborn out",
        )
    if options.symmetry == "hand" and program.representative is None:
        raise UsageError.of(
            f"symmetry=hand needs a representative function, and {program.name} has none",
            remedy="define symmetry_representative(self), or leave symmetry out",
        )


def _selects_nothing(options: CheckOptions, everything: Iterable[Question]) -> UsageError:
    words = {wrong: word for word, wrong in KINDS.items()}
    has = sorted({words[question.wrong] for question in everything})
    available = ", ".join(has) if has else "no properties"
    return UsageError.of(
        f"only={','.join(sorted(options.only or ()))} selects nothing: the model has {available}",
        remedy=f"there are: {', '.join([*has, 'termination'])}; or leave it out",
    )


def _caveats(
    program: Program, options: CheckOptions, everything: list[Question], selected: list[Question]
) -> Iterator[Caveat]:
    if not program.families or not program.nr_commands:
        yield Caveat("no-transitions", "the model has no transitions: the initial state is all there is")
    if not selected:
        yield Caveat("no-properties", "the model has no properties: only model errors were looked for")
    skipped = [question.name for question in everything if question not in selected]
    if skipped:
        yield Caveat("not-selected", f"not checked, as `only` leaves them out: {', '.join(skipped)}")
    if options.selects(Wrong.TERMINAL) and not program.properties_of(PropertyKind.TERMINAL):
        how = "check_deadlock" if any(family.style is Style.FIRE for family in program.families) else "@terminal"
        yield Caveat("no-terminal", f"the model says nothing of terminal states ({how}): deadlocks were not looked for")
