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
from asset.ir.requirements import (
    Branching,
    Enabled,
    Fairness,
    MayProgress,
    MustProgress,
    Requirement,
    Stage,
    Temporal,
    Terminal,
    Termination,
)
from asset.logic.formulas import Always, Atom, Eventually, Formula, Not, Or
from asset.verdict import Caveat

MOST_NAMED = 8
"""How many processes a caveat names."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The requirements to be checked, in the order of the model, termination last; and those that `only` leaves out."""

    requirements: tuple[Requirement, ...]
    left_out: tuple[Requirement, ...]

    def of_states(self) -> Plan:
        """With those that are decided in each state."""
        return replace(self, requirements=tuple(each for each in self.requirements if each.stage is Stage.STATE))


def plan(program: Program, options: CheckOptions) -> Plan:
    """Selects what the options ask for. An option that selects nothing is an error."""
    selected = [requirement for requirement in program.requirements if options.selects(kind_of(requirement).option)]
    fairness = _fairness(program, options.fair)
    chosen = [_as_asked(program, requirement, options, fairness) for requirement in selected]
    if Termination() not in chosen and (options.termination or (options.only and "termination" in options.only)):
        chosen.append(Termination())
    if options.only is not None and not chosen:
        raise _selects_nothing(options, program.requirements)
    if options.formulas and not options.selects(KINDS[Temporal].option):
        raise UsageError.of(
            f"{options.formulas[0][0]} asks for a formula that `only` leaves out",
            remedy="add temporal to it, or leave it out",
        )
    if options.fair is not None and not any(isinstance(requirement, Temporal | Branching) for requirement in chosen):
        raise UsageError.of(
            f"fair={options.fair} is about the runs of temporal properties, and none is checked",
            remedy="ask for one, with @temporal, --ltl or --ctl, or leave it out",
        )
    if options.on_the_fly and not any(isinstance(requirement, Temporal) for requirement in chosen):
        raise UsageError.of(
            "on_the_fly is about the runs of temporal properties (LTL), and none is checked",
            remedy="ask for one, with @temporal or --ltl, or leave it out",
        )
    if options.engine == "native":
        _require_small(chosen)
    return Plan(tuple(chosen), tuple(each for each in program.requirements if each not in selected))


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
    asked = in_order(requirements)
    return Task(program.initial_states, asked, reductions, repair=repair, idle_steps=program.idle_steps)


def _initial(program: Program) -> str:
    return "the initial states are all that" if program.further_initial else "the initial state is all"


def not_checked(
    program: Program, planned: Plan, checked: Sequence[Requirement], options: CheckOptions
) -> Iterator[Caveat]:
    """What a reader may expect to be checked and is not, and what is assumed. `checked` is what will be."""
    if not program.families or not program.nr_commands:
        yield Caveat("no-transitions", f"the model has no transitions: {_initial(program)} there is")
    if not checked:
        yield Caveat("no-properties", "the model has no properties: only model errors were looked for")
    if planned.left_out:
        names = ", ".join(requirement.name for requirement in planned.left_out)
        yield Caveat("not-selected", f"not checked, as `only` leaves them out: {names}")
    of_choices = [requirement for requirement in checked if isinstance(requirement, Branching)]
    if disregarded := [requirement for requirement in of_choices if requirement.disregarded]:
        names = ", ".join(requirement.name for requirement in disregarded)
        assumed = ", ".join(map(str, disregarded[0].disregarded))
        yield Caveat(
            "ctl-without-assumption",
            f"CTL knows fairness, and assumptions that something holds again and again, but not this: {assumed}; "
            f"it was not assumed for {names}",
        )
    asks_for_deadlocks = options.selects(KINDS[Terminal].option)
    if asks_for_deadlocks and not any(isinstance(requirement, Terminal) for requirement in program.requirements):
        in_asset_style = any(family.style is Style.FIRE for family in program.families)
        missing = "check_deadlock" if in_asset_style else "@terminal property"
        yield Caveat("no-terminal", f"no {missing}: deadlocks were not checked")
    if options.fair is not None:
        yield from _fair_to_recognised(program, options.fair)


def _fair_to_recognised(program: Program, fair: str) -> Iterator[Caveat]:
    """Which transitions belong to one process is a guess if the model does not say it, and fairness depends on it."""
    from asset.analysis.processes.ownership import find_processes  # here, as few checks need it

    if names := find_processes(program).recognised:
        shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if names[MOST_NAMED:] else "")
        yield Caveat(
            "recognised-processes",
            f"fair={fair} was assumed of processes that were recognised among the transitions: {shown}; "
            "@transition(fair=…), weak(…) and strong(…) in the model say it exactly",
        )


def _require_small(requirements: Iterable[Requirement]) -> None:
    """UsageError if a formula is too large for the native engine."""
    for required in requirements:
        if not isinstance(required, Temporal | Branching):
            continue
        from asset.engine.flat_automata import MOST, sizes  # here, as few checks need it

        for what, size in sizes(required).items():
            if size > MOST:
                raise UsageError.of(
                    f"{required.name} is too large: it has {size} {what}, and there may be {MOST}",
                    required.span,
                    "ask for its parts one after the other, or use the reference engine (engine=reference)",
                )


def _fairness(program: Program, fair: str | None) -> tuple[Fairness, ...]:
    """To each process, if that is asked for."""
    if fair is None:
        return ()
    from asset.analysis.processes.ownership import find_processes  # here, as few checks need it

    commands: dict[str, set[int]] = {}
    for command, process in enumerate(find_processes(program).of_command):
        commands.setdefault(process, set()).add(command)
    return tuple(Fairness(process, frozenset(own), fair == "strong") for process, own in commands.items())


def _as_formula(program: Program, required: MustProgress) -> Temporal:
    """Must progress in a model in which a step that changes nothing is a step: again and again, or the run ends."""
    again: Formula = Atom(required.predicate)
    if required.terminal_is_progress:
        going = Atom(Enabled("some step is enabled", frozenset(range(program.nr_commands))))
        again = Or((again, Not(going)))
    return Temporal(required.name, Always(Eventually(again)), required.span)


def _as_asked(
    program: Program, requirement: Requirement, options: CheckOptions, fairness: tuple[Fairness, ...]
) -> Requirement:
    """The requirement with what the options say of terminal states and of fairness."""
    if isinstance(requirement, MustProgress) and options.fair is not None and program.idle_steps:
        requirement = _as_formula(program, requirement)
    if isinstance(requirement, Temporal | Branching):
        return replace(requirement, fairness=(*requirement.fairness, *fairness)) if fairness else requirement
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
