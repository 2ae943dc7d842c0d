"""A state, and a step of a run, as a reader sees them."""

from __future__ import annotations

import io
import linecache
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import replace

from asset.checks.rendering import scalar, unravelled
from asset.checks.shown_states import ShownState
from asset.checks.subject import Seen, Subject
from asset.engine.outcome import Path
from asset.ir.program import Program, State, Variable
from asset.verdict import Change, Step, Value


def steps(program: Program, subject: Subject, path: Path) -> tuple[Step, ...]:
    """The run as a reader sees it."""
    shown = ShownState.of(program, path[0][1])
    found = [_initial(shown, subject)]
    for command, after in path[1:]:
        assert command is not None
        doing = subject.doing(shown.cells, command)
        shown, changes = shown.then(after)
        step = step_of(program, command, changes, shown.values, subject.seen(shown.cells))
        found.append(replace(step, code=doing) if doing else step)
    return tuple(found)


def state(program: Program, subject: Subject, cells: State) -> Step:
    """A state by itself as a reader sees it."""
    return _initial(ShownState.of(program, cells), subject)


def _initial(shown: ShownState, subject: Subject) -> Step:
    seen = subject.seen(shown.cells)
    return Step(None, shown.values, (), None, seen.shown, seen.model)


def step_of(
    program: Program, command: int, changes: tuple[Change, ...], state: Mapping[str, Value], seen: Seen
) -> Step:
    """The step by `command` that makes these changes, to that state."""
    span, moved = program.commands[command][0].span, move(program, command, changes)
    return Step(
        transition=program.command_name(command),
        state=state,
        changes=changes,
        span=span,
        shown=seen.shown,
        model=seen.model,
        move=moved,
        code=code(span.file, [span.line]) if moved else "",
    )


def move(program: Program, command: int, changes: tuple[Change, ...]) -> str:
    """`customer 1: line 26 → 29, chose True`: what a step of a process does; empty if it is none."""
    family, index = program.commands[command]
    if family.process is None or not family.name.startswith(f"{family.process}@"):
        return ""
    if family.partner is not None:
        return _meeting(family.name, (family.process, family.partner), changes)
    shown, own = family.shown(index), len(index) - family.choices
    who = " ".join([family.process, *map(str, index[:own])])
    went = next((f"{each.before} → {each.after}" for each in changes if each.cell == who), "stays")
    return ", ".join([f"{who}: {went.replace('→ line ', '→ ')}", *(f"chose {value}" for value in shown[own:])])


def _meeting(name: str, sides: tuple[str, str], changes: tuple[Change, ...]) -> str:
    """`customer 1: line 26 → 29, shop: line 40 → 42`: what a step of two processes does, and its name if both stay."""
    went = [
        f"{each.cell}: {each.before} → {each.after}"
        for side in dict.fromkeys(sides)
        for each in changes
        if re.fullmatch(rf"{re.escape(side)}( -?\d+)*", each.cell)
    ]
    return ", ".join(each.replace("→ line ", "→ ") for each in went) or name


def code(file: str, lines: Iterable[int]) -> str:
    """The text of these lines, without what only divides steps, and without comments."""
    texts = (linecache.getline(file, line).strip() for line in lines)
    said = (_without_comment(text).rstrip(":") for text in texts)
    return "; ".join(text for text in said if text and not _DIVIDES.match(text))


_DIVIDES = re.compile(r"(yield\b.*|while True|else|pass|continue|break)$")


def _without_comment(text: str) -> str:
    """Python's comments; a text that cannot be read by itself is left as it is."""
    if "#" not in text:
        return text
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text.partition("  #")[0]
    at = next((token.start[1] for token in tokens if token.type == tokenize.COMMENT), len(text))
    return text[:at].rstrip()


def shown_cells(program: Program, state: State, wanted: Iterable[int]) -> dict[str, Value]:
    """These cells of the state by name, `client[2]`, in the order of declaration."""
    found: dict[str, Value] = {}
    for cell in sorted(wanted):
        number = bisect_right(program.offsets, cell) - 1
        variable = program.variables[number]
        indices = unravelled(variable.dims, cell - program.offsets[number])
        found[_cell_name(variable, indices)] = scalar(variable.type, state[cell])
    return found


def _cell_name(variable: Variable, indices: tuple[int, ...]) -> str:
    return variable.name + "".join(f"[{i}]" for i in indices)
