"""Sentences and names that several checks say. Steps are numbered as in the counterexample."""

from __future__ import annotations

from collections.abc import Iterable

from asset.engine.outcome import During, Finding, Path
from asset.ir.faults import Fault
from asset.ir.program import Program

MOST_NAMES = 4
"""A longer list of commands is cut short."""


def cycle(finding: Finding) -> Path:
    """The steps of the cycle at the end of the run; none if it has no cycle."""
    return () if finding.cycle_starts_at is None else finding.path[finding.cycle_starts_at + 1 :]


def model_error(program: Program, finding: Finding, fault: Fault) -> str:
    command = None if finding.command is None else program.command_name(finding.command)
    match finding.during:
        case During.RULE:
            return f"in the stubborn set rule of {command}: {fault.message}"
        case During.REPRESENTATIVE:
            of = f"what {command} leads to" if command else "the initial state"
            return f"in the representative of {of}: {fault.message}"
        case During.STEP:
            return f"of the step by {command}: {fault.message}" if command else fault.message
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
