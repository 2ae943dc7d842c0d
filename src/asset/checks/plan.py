"""What will be checked, and what the reader must be told is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from asset.checks.options import CheckOptions
from asset.ir.program import Program, Property, PropertyKind
from asset.verdict import Caveat


@dataclass(frozen=True, slots=True)
class Plan:
    """The properties to check, each kind as a bit mask over the program's properties of that kind."""

    masks: dict[PropertyKind, int]
    properties: tuple[Property, ...]
    caveats: tuple[Caveat, ...]


def plan(program: Program, options: CheckOptions) -> Plan:
    """Selects the properties that the options ask for."""
    masks = {kind: (1 << len(program.properties_of(kind))) - 1 for kind in PropertyKind if options.selects(kind)}
    selected = tuple(p for p in program.properties if masks.get(p.kind))
    return Plan(masks, selected, tuple(_caveats(program, options, selected)))


def _caveats(program: Program, options: CheckOptions, selected: tuple[Property, ...]) -> Iterator[Caveat]:
    if not program.families or not program.nr_commands:
        yield Caveat("no-transitions", "the model has no transitions: the initial state is all there is")
    if not program.properties:
        yield Caveat("no-properties", "the model has no properties: only model errors were looked for")
    skipped = [p.name for p in program.properties if p not in selected]
    if skipped:
        yield Caveat("not-selected", f"not checked, as `only` leaves them out: {', '.join(skipped)}")
    if options.selects(PropertyKind.TERMINAL) and not program.properties_of(PropertyKind.TERMINAL):
        yield Caveat(
            "no-terminal", "the model says nothing of terminal states (@terminal): deadlocks were not looked for"
        )
