"""What a node of the picture stands for: a state, a strong component, or all states with certain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from asset.checks.rendering import values
from asset.checks.showing import shown_cells
from asset.engine.components import strong_components
from asset.errors import UsageError
from asset.ir.program import Program, State
from asset.space.exploring import Explored
from asset.space.state_graph import Arrow, GraphView, Mark, StateGraph, StateNode

_LONGEST = 40  # characters of a line in a node


def full(explored: Explored) -> StateGraph:
    """A node for each state."""
    return _graph(explored, GraphView.STATES, range(len(explored.states)), None)


def condensed(explored: Explored) -> StateGraph:
    """A node for each strong component: what can be left for ever, and what cannot."""
    group = [0] * len(explored.states)
    starts = range(explored.starts)
    components = strong_components(starts, lambda state: [target for _, target in explored.edges[state]])
    # Numbered by their first states, so that the initial one comes first.
    for number, component in enumerate(sorted(components, key=min)):
        for state in component:
            group[state] = number
    return _graph(explored, GraphView.COMPONENTS, group, None)


def projected(explored: Explored, words: Sequence[str]) -> StateGraph:
    """A node for each combination of values that the chosen variables or cells have together."""
    cells = [cell for word in words for cell in _chosen(explored.program, word)]
    numbers: dict[State, int] = {}
    group = [numbers.setdefault(tuple(s[cell] for cell in cells), len(numbers)) for s in explored.states]
    return _graph(explored, GraphView.PROJECTION, group, cells)


def narrow_projections(explored: Explored, most: int) -> Iterator[tuple[str, int]]:
    """Variables and cells that alone make few nodes, the most telling first: what to suggest."""
    counted = {
        name: len({state[cells.start : cells.stop] for state in explored.states})
        for name, cells in named_cells(explored.program).items()
    }
    telling = [(name, count) for name, count in counted.items() if 1 < count <= most]
    yield from sorted(telling, key=lambda each: -each[1])


def named_cells(program: Program) -> dict[str, range]:
    """Every variable and every cell of an array, as it is written, with the numbers of its cells."""
    found: dict[str, range] = {}
    for variable, offset in zip(program.variables, program.offsets, strict=True):
        found[variable.name] = range(offset, offset + variable.cells)
        for at, indices in enumerate(product(*map(range, variable.dims)), start=offset):
            found[variable.name + "".join(f"[{i}]" for i in indices)] = range(at, at + 1)
    return found


def _chosen(program: Program, word: str) -> range:
    known = named_cells(program)
    name = word.replace(" ", "")
    if name in known:
        return known[name]
    exist = ", ".join(v.name + "".join(f"[0..{size - 1}]" for size in v.dims) for v in program.variables)
    raise UsageError.of(f"{program.name} has no variable {word!r}", remedy=f"it has {exist}")


def _graph(explored: Explored, view: GraphView, group: Sequence[int], cells: Sequence[int] | None) -> StateGraph:
    """`group` is the number of each state's node."""
    members: list[list[int]] = [[] for _ in range(max(group) + 1)]
    for state, number in enumerate(group):
        members[number].append(state)
    program = explored.program
    arrows = tuple(_arrows(explored, group))
    ends = ((arrow.source, arrow.target) for arrow in arrows)
    depths = distances(len(members), ends, {group[state] for state in range(explored.starts)})
    nodes = (_node(explored, number, states, cells) for number, states in enumerate(members))
    return StateGraph(
        title=title(explored.program, explored.reduced_by),
        view=view,
        nodes=tuple(replace(node, depth=depth) for node, depth in zip(nodes, depths, strict=True)),
        arrows=arrows,
        families=tuple(family.name for family in program.families),
        states=len(explored.states),
        edges=sum(map(len, explored.edges)),
    )


def distances(nodes: int, arrows: Iterable[tuple[int, int]], starts: set[int]) -> list[int]:
    """From the nodes with the initial states, along the arrows."""
    leading: list[list[int]] = [[] for _ in range(nodes)]
    for source, target in arrows:
        leading[source].append(target)
    found = dict.fromkeys(starts, 0)
    queue = sorted(starts)
    for node in queue:  # grows as nodes are found
        for target in leading[node]:
            if target not in found:
                found[target] = found[node] + 1
                queue.append(target)
    return [found[node] for node in range(nodes)]


def title(program: Program, reduced_by: Sequence[str] = ()) -> str:
    """The model as its user would write it, and whether states may be missing."""
    parameters = ", ".join(f"{name}={value}" for name, value in program.parameters)
    name = f"{program.name}({parameters})" if parameters else program.name
    return f"{name}, reduced by {' and '.join(reduced_by)}" if reduced_by else name


def _node(explored: Explored, number: int, states: Sequence[int], cells: Sequence[int] | None) -> StateNode:
    first = explored.states[states[0]]
    marks = set()
    if states[0] < explored.starts:
        marks.add(Mark.INITIAL)
    if any(explored.is_terminal(state) for state in states):
        marks.add(Mark.TERMINAL)
    wrong = next((explored.wrong[state] for state in states if state in explored.wrong), "")
    if wrong:
        marks.add(Mark.BAD)
    shown = values(explored.program, first) if cells is None else shown_cells(explored.program, first, cells)
    return StateNode(
        number=number,
        lines=tuple(_line(name, value) for name, value in shown.items()),
        values=shown,
        depth=0,
        states=len(states),
        marks=frozenset(marks),
        wrong=wrong,
    )


def _line(name: str, value: object) -> str:
    text = f"{name}: {_flat(value)}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _flat(value: object) -> str:
    if isinstance(value, list):
        inner = " ".join(map(_flat, value))
        return f"({inner})" if value and isinstance(value[0], list) else inner
    return str(value)


def _arrows(explored: Explored, group: Sequence[int]) -> Iterator[Arrow]:
    """Within a node of several states, edges are not drawn."""
    program = explored.program
    found: dict[tuple[int, int, str], dict[int, int]] = {}
    alone = len(set(group)) == len(group)
    for state, edges in enumerate(explored.edges):
        for command, target in edges:
            if group[state] != group[target] or alone:
                family = program.commands[command][0].name
                counts = found.setdefault((group[state], group[target], family), {})
                counts[command] = counts.get(command, 0) + 1
    for (source, target, family), counts in found.items():
        names = tuple(program.command_name(command) for command in sorted(counts))
        yield Arrow(source, target, family, names, sum(counts.values()))
