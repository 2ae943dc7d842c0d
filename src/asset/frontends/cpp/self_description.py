"""What a .model file has: state variables, transitions, functions, switches. A program made from it reports them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from asset.errors import ModelRejected
from asset.frontends.cpp.declarations import Declarator
from asset.span import Span

MOST_BITS = 32
MOST_TRANSITIONS = 1 << 20
MOST_WORDS = 1 << 12

CHECKS = {
    "chk_state": "check_state",
    "chk_deadlock": "check_deadlock",
    "chk_may_progress": "is_may_progress",
    "chk_must_progress": "is_must_progress",
    "stubborn": "next_stubborn",
    "symmetry": "symmetry_representative",
}
"""Switches that call a function of the model."""

SWITCHES = (
    *CHECKS,
    *("size_par", "try_forward", "only_typical", "dl_not_may", "dl_not_must", "stop_cnt", "no_sanity_chk"),
    *("no_progr_chk", "show_cnt", "no_show_cnt", "hash_count"),
)
"""All switches that mean something to the tool; a model may have others of its own."""


FOR_THE_TOOL = (
    frozenset(SWITCHES)
    - {"chk_state", "chk_deadlock", "chk_may_progress", "chk_must_progress"}
    - {
        "try_forward",
        "no_sanity_chk",
    }
)
"""Switches that change nothing in the machine code of a model that does not look at them itself."""


@dataclass(frozen=True, slots=True)
class VariableDescription:
    """A state variable; `number` is that of its declaration in the file."""

    number: int
    name: str
    bits: int
    dims: tuple[int, ...]

    @property
    def cells(self) -> int:
        return prod(self.dims)


@dataclass(frozen=True, slots=True)
class Description:
    """`switches` has the texts of the macros defined at the end of the file; `initial` has one value for each cell."""

    variables: tuple[VariableDescription, ...]
    transitions: int
    initial: tuple[int, ...]
    functions: frozenset[str]
    switches: Mapping[str, str]
    fault: str | None


def parse(text: str) -> Description:
    """The description in the lines that describe.h writes."""
    variables: list[VariableDescription] = []
    initial: list[int] = []
    functions: set[str] = set()
    switches: dict[str, str] = {}
    transitions, fault = 0, None
    for line in text.splitlines():
        kind, *words = line.split("\t")
        match kind:
            case "variable":
                number, name, bits, *dims = words
                variables.append(VariableDescription(int(number), name, int(bits), tuple(map(int, dims))))
            case "initial":
                initial.append(int(words[0]))
            case "transitions":
                transitions = int(words[0])
            case "function":
                functions.add(words[0])
            case "switch":
                switches[words[0]] = "\t".join(words[1:])
            case "fault":
                fault = words[0]
    return Description(tuple(variables), transitions, tuple(initial), frozenset(functions), switches, fault)


def require_sense(described: Description, declared: tuple[Declarator, ...], file: str) -> None:
    """ModelRejected if a function is missing, a width makes no sense, or nr_transitions() goes wrong."""
    top = Span(file, 1)
    for function, call in (("nr_transitions", "nr_transitions()"), ("fire_transition", "fire_transition(unsigned)")):
        if function not in described.functions:
            raise ModelRejected.of(f"the model has no function {call}", top, "every .model file has one")
    for switch, function in CHECKS.items():
        if switch in described.switches and function not in described.functions:
            raise ModelRejected.of(
                f"{switch} is on, but the model has no function {function}",
                top,
                f"define {function}, or leave out {switch}",
            )
    spans = {each.number: each.span for each in declared}
    for variable in described.variables:
        if not 1 <= variable.bits <= MOST_BITS:
            raise ModelRejected.of(
                f"{variable.name} has {variable.bits} bits",
                spans[variable.number],
                f"a state variable has from 1 to {MOST_BITS} bits: what follows = is the number of bits, not a value",
            )
    if described.fault is not None:
        raise ModelRejected.of(f"nr_transitions() goes wrong: {described.fault}", top)
    if described.transitions > MOST_TRANSITIONS:
        raise ModelRejected.of(
            f"nr_transitions() returns {described.transitions}", top, f"the most is {MOST_TRANSITIONS}"
        )


def require_given(described: Description, definitions: Mapping[str, str]) -> None:
    """An error if the file itself gives a switch another value than the command line does."""
    for name, value in definitions.items():
        found = described.switches.get(name)
        if found is None or "".join(found.split()) != "".join(value.split()):
            says = "undefines it" if found is None else f"defines it as {found}"
            raise ModelRejected.of(f"-D {name}={value} has no effect: the file itself {says}")
