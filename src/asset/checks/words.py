"""What a finding shows, as a sentence for the reader of its counterexample. Steps are numbered as there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asset.engine.outcome import During, Finding, Path
from asset.ir.faults import Fault
from asset.ir.program import Program
from asset.ir.requirements import Recurrence

MOST_NAMES = 4
"""A longer list of commands is cut short."""


def cycle(finding: Finding) -> Path:
    """The steps of the cycle at the end of the run; none if it has no cycle."""
    return () if finding.cycle_starts_at is None else finding.path[finding.cycle_starts_at + 1 :]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen when a finding was replayed: what the model says is wrong with the last state, and whether the
    predicate held before progress was lost."""

    complaint: str = ""
    held_before: bool = False


def of_state(program: Program, finding: Finding, seen: Seen) -> str:
    return seen.complaint


def may_progress(program: Program, finding: Finding, seen: Seen) -> str:
    again = " again" if seen.held_before else ""
    return f"{_from_there_on(finding)}, {_name(finding)} can never hold{again}{_end(finding)}"


def must_progress(program: Program, finding: Finding, seen: Seen) -> str:
    if finding.cycle_starts_at is None:
        return f"{_from_there_on(finding)}, {_name(finding)} never holds{_end(finding)}"
    return f"{_for_ever(finding)}, and {_name(finding)} never holds"


def recurrence(program: Program, finding: Finding, seen: Seen) -> str:
    violated = finding.requirement
    assert isinstance(violated, Recurrence)
    fired = [command for command, _ in cycle(finding) if command in violated.again]
    again = command_names(program, fired)
    then = command_names(program, violated.then) if violated.then else "nothing that it requires"
    return f"{_for_ever(finding)}: {again} occurs again and again, but {then} never does"


def termination(program: Program, finding: Finding, seen: Seen) -> str:
    return f"{_from_there_on(finding)}, termination is unreachable: no run from there ends"


def _name(finding: Finding) -> str:
    assert finding.requirement is not None
    return finding.requirement.name


def model_error(program: Program, finding: Finding, fault: Fault) -> str:
    command = None if finding.command is None else program.command_name(finding.command)
    match finding.during:
        case During.RULE:
            return f"in the stubborn set rule of {command}: {fault.message}"
        case During.REPRESENTATIVE:
            of = f"what {command} leads to" if command else "the initial state"
            return f"in the representative of {of}: {fault.message}"
        case _:
            return fault.message


def command_names(program: Program, commands: Iterable[int | None], last: str = "or") -> str:
    """The commands by name, each once; a whole family by its own name; `last` is the word before the last."""
    wanted = [command for command in dict.fromkeys(commands) if command is not None]
    names: list[str] = []
    for command in sorted(wanted):
        family = program.commands[command][0]
        whole = set(range(family.first, family.first + family.size)) <= set(wanted)
        name = family.name if whole else program.command_name(command)
        if name not in names:
            names.append(name)
    if len(names) > MOST_NAMES:
        names[MOST_NAMES:] = [f"{len(names) - MOST_NAMES} more"]
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def _from_there_on(finding: Finding) -> str:
    at = finding.progress_lost_at
    return f"from step {at} on" if at else "from the initial state on"


def _for_ever(finding: Finding) -> str:
    first, last = (finding.cycle_starts_at or 0) + 1, len(finding.path) - 1
    steps = f"step {first}" if first == last else f"steps {first} to {last}"
    return f"the run repeats {steps} for ever"


def _end(finding: Finding) -> str:
    if finding.cycle_starts_at is not None:
        return ""
    last = len(finding.path) - 1
    return f"; the run ends after step {last}" if last else "; it is a terminal state"
