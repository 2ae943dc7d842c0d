"""What will be checked, and what the reader must be told is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from asset.checks.options import CheckOptions
from asset.checks.requirements import KINDS, in_order, kind_of
from asset.engine.outcome import Task
from asset.errors import UsageError
from asset.ir.program import Program, Style
from asset.ir.reductions import Reductions
from asset.ir.requirements import MayProgress, MustProgress, Requirement, Terminal, Termination
from asset.verdict import Caveat


@dataclass(frozen=True, slots=True)
class Plan:
    """The requirements to be checked, in the order of the model, termination last; and those that `only` leaves out."""

    requirements: tuple[Requirement, ...]
    left_out: tuple[Requirement, ...]


def plan(program: Program, options: CheckOptions) -> Plan:
    """Selects what the options ask for. An option that selects nothing is an error."""
    declared = [_as_asked(requirement, options) for requirement in program.requirements]
    chosen = [requirement for requirement in declared if options.selects(kind_of(requirement).option)]
    if Termination() not in chosen and (options.termination or (options.only and "termination" in options.only)):
        chosen.append(Termination())
    if options.only is not None and not chosen:
        raise _selects_nothing(options, declared)
    return Plan(tuple(chosen), tuple(requirement for requirement in declared if requirement not in chosen))


def require_use(asked: CheckOptions, planned: Plan) -> None:
    """UsageError if the user says what counts as progress and no such progress is checked. That a model says so itself
    is no mistake: it may be checked for less."""
    for option, kind in (("dl_not_may", MayProgress), ("dl_not_must", MustProgress)):
        if getattr(asked, option) and not any(isinstance(each, kind) for each in planned.requirements):
            word = KINDS[kind].word
            raise UsageError.of(
                f"{option} says that terminal states are no {word}, and no {word} is checked", remedy="leave it out"
            )


def task(program: Program, requirements: Iterable[Requirement], reductions: Reductions, repair: bool = False) -> Task:
    """What an engine is asked to do to decide the requirements."""
    return Task((program.initial,), in_order(requirements), reductions, repair=repair)


def not_checked(
    program: Program, planned: Plan, checked: Sequence[Requirement], options: CheckOptions
) -> Iterator[Caveat]:
    """What a reader may expect to be checked and is not. `checked` is what will be."""
    if not program.families or not program.nr_commands:
        yield Caveat("no-transitions", "the model has no transitions: the initial state is all there is")
    if not checked:
        yield Caveat("no-properties", "the model has no properties: only model errors were looked for")
    if planned.left_out:
        names = ", ".join(requirement.name for requirement in planned.left_out)
        yield Caveat("not-selected", f"not checked, as `only` leaves them out: {names}")
    asks_for_deadlocks = options.selects(KINDS[Terminal].option)
    if asks_for_deadlocks and not any(isinstance(requirement, Terminal) for requirement in program.requirements):
        in_asset_style = any(family.style is Style.FIRE for family in program.families)
        missing = "check_deadlock" if in_asset_style else "@terminal property"
        yield Caveat("no-terminal", f"no {missing}: deadlocks were not checked")


def _as_asked(requirement: Requirement, options: CheckOptions) -> Requirement:
    """The requirement with what the options say of terminal states."""
    if isinstance(requirement, MayProgress) and options.dl_not_may:
        return replace(requirement, terminal_is_progress=False)
    if isinstance(requirement, MustProgress) and options.dl_not_must:
        return replace(requirement, terminal_is_progress=False)
    return requirement


def _selects_nothing(options: CheckOptions, everything: Iterable[Requirement]) -> UsageError:
    has = sorted({kind_of(requirement).option for requirement in everything} - {"termination"})
    available = ", ".join(has) if has else "no properties"
    return UsageError.of(
        f"only={','.join(sorted(options.only or ()))} selects nothing: the model has {available}",
        remedy=f"there are: {', '.join([*has, 'termination'])}; or leave it out",
    )
