"""How many processes of each kind there can be, and which numbers they can have.

A process has the number of processes there were when it was made, and only the youngest process can go. So that the
state is finite, each kind gets a range of numbers. How often a process can execute each `run` is found by following
its control flow with the values of its local variables as far as they are known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.constants import constant
from asset.frontends.promela.control import Control, Element, Shape, Step
from asset.frontends.promela.naming import parts_of
from asset.frontends.promela.types import Basic
from asset.span import Span

MOST_SITUATIONS = 20_000
MOST_PROCESSES = 255
BOUND = "_processes"
"""The macro that says how many processes there can be at once."""

MOST_SORTS = 200
"""Processes of one kind that are told apart by their arguments."""

ASSUMED = 16
"""Beside those that are active at first, so many processes have room if nothing tells how many there can be."""


UNCOUNTED = "it cannot be told how often this run is executed, and so how many processes there can be"


class Unbounded(Exception):
    """It cannot be told how many processes there can be."""

    def __init__(self, said: str, span: Span, module: s.Module) -> None:
        super().__init__(said)
        self.room = min(MOST_PROCESSES, ASSUMED + sum(process.active for process in module.processes))
        self.warning = Diagnostic(
            f"{said}: there is room for {self.room}",
            span,
            f"-D {BOUND}=30 says how many there can be at once; a run that makes too many leaves the verdict undecided",
            "warning",
        )


Known = tuple[tuple[s.Declaration, int], ...]

Made = tuple[str, Known]
"""A process that is made: its kind, and what is known of its arguments."""

MadeBy = Mapping[tuple[str, str], int]
"""How many processes are made in all, by the kind of what makes them and their own."""

Situation = tuple[Element, Known]
"""Where a process is, and what is known of its variables."""

Edge = tuple[Made | None, Situation, bool]
"""A step: the process that it makes, where it leads to, and whether it goes on there in the same atomic sequence."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The most processes of each sort that one process makes; None if that is not known. `span` is of the `run`."""

    most: Mapping[Made, int | None]
    spans: Mapping[str, Span]


def pids_of(
    module: s.Module, controls: Mapping[str, Control], made_by: MadeBy, bound: int | None = None
) -> dict[str, range]:
    """The numbers that processes of each kind can have; kinds that never run are left out."""
    pids: dict[str, range] = {}
    first = 0
    for process in module.processes:
        if process.active:
            pids[process.name] = range(first, first + process.active)
            first += process.active
    if first > MOST_PROCESSES:
        raise ModelRejected.of(f"there are more than {MOST_PROCESSES} processes", module.processes[0].span)
    if not made_by:
        return pids
    last = first + sum(made_by.values()) - 1 if bound is None else bound - 1
    lowest = _lowest(module, controls, first)
    for name in {made for _, made in made_by}:
        own = pids.get(name)
        least = lowest if own is None else min(lowest, own[0])
        pids[name] = range(least, last + 1)
    return pids


def _lowest(module: s.Module, controls: Mapping[str, Control], active: int) -> int:
    """The least number that a new process can have: younger ones than its maker may be gone."""
    least = number = active
    for process in reversed([p for p in module.processes if p.active]):
        number -= process.active
        if any(isinstance(node, s.Run) for node in parts_of(process.body)):
            least = number + 1
        if not any(place.shape is Shape.END for place in controls[process.name].places):
            break
    return least


def processes_made(module: s.Module, controls: Mapping[str, Control], bound: int | None) -> MadeBy:
    """How many processes are made in all; if a bound is given, of which kinds. Raises Unbounded if none is."""
    total: dict[tuple[str, str], int] = defaultdict(int)
    processes = {p.name: p for p in module.processes}
    counts: dict[Made, Counts] = {}
    path: list[Made] = []

    def make(sort: Made, times: int) -> None:
        if sort not in counts:
            counts[sort] = _counts(processes, controls[sort[0]], sort)
        for other, most in counts[sort].most.items():
            if other[0] not in processes:
                continue
            again = other in path or other == sort
            too_many = len(path) > MOST_SORTS or sum(total.values()) > MOST_PROCESSES
            if (most is None or again or too_many) and bound is None:
                span = counts[sort].spans[other[0]]
                raise Unbounded(UNCOUNTED, span, module)
            total[sort[0], other[0]] += times * (most or 1)
            if not again and not too_many:
                path.append(sort)
                make(other, times * (most or 1))
                path.pop()

    for process in module.processes:
        if process.active:
            make((process.name, ()), process.active)
    if bound is None and sum(total.values()) > MOST_PROCESSES:
        said = f"{sum(total.values())} processes may be made, and it cannot be told how many there can be at once"
        raise Unbounded(said, module.processes[0].span, module)
    return dict(total)


# --- following one process ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Followed:
    """What a process can do, as far as it is about making others; not all of it, unless it is `complete`."""

    start: Situation
    edges: Mapping[Situation, list[Edge]]
    complete: bool


def _counts(processes: Mapping[str, s.Proctype], control: Control, sort: Made) -> Counts:
    spans = {node.process: node.span for node in parts_of(processes[sort[0]].body) if isinstance(node, s.Run)}
    if not spans:
        return Counts({}, {})
    followed = following(processes, control, sort)
    if not followed.complete:
        return Counts({(name, ()): None for name in spans}, spans)
    sorts = dict.fromkeys(run for edges in followed.edges.values() for run, _, _ in edges if run is not None)
    components = _components(followed)
    return Counts({each: _longest(followed, components, each) for each in sorts}, spans)


def following(processes: Mapping[str, s.Proctype], control: Control, sort: Made) -> Followed:
    start = (control.start, _initial(processes[sort[0]], sort[1]))
    edges: dict[Situation, list[Edge]] = {}
    pending = [start]
    while pending and len(edges) < MOST_SITUATIONS:
        at = pending.pop()
        if at in edges:
            continue
        edges[at] = list(_successors(processes, control, at))
        pending += [target for _, target, _ in edges[at]]
    return Followed(start, edges, not pending)


def _initial(process: s.Proctype, arguments: Known) -> Known:
    known: dict[s.Declaration, int] = dict(arguments)
    for d in process.locals:
        if isinstance(d.type, Basic) and d.length is None and not d.parameter and d.type.kind != "chan":
            value = 0 if d.initial is None else _valued(d.initial, known)
            if value is not None:
                known[d] = d.type.wrapped(value)
    return _in_order(known)


def _in_order(known: Mapping[s.Declaration, int]) -> Known:
    return tuple(sorted(known.items(), key=lambda item: (item[0].span.line, item[0].label)))


def is_true(e: s.Expr, known: Mapping[s.Declaration, int]) -> bool:
    """Whether it is known to be."""
    return _valued(e, known) not in (None, 0)


def _valued(e: s.Expr | s.ChannelMaker | s.InitialList, known: Mapping[s.Declaration, int]) -> int | None:
    if isinstance(e, s.ChannelMaker | s.InitialList):
        return None
    return constant(e, lambda r: known.get(r.declaration) if isinstance(r, s.Reference) and not r.parts else None)


def _successors(processes: Mapping[str, s.Proctype], control: Control, at: Situation) -> Iterator[Edge]:
    place, known = at[0], dict(at[1])
    for step in control.steps[place]:
        statement = step.statement
        if step.target is None:
            continue
        if isinstance(statement, s.Condition) and _valued(statement.value, known) == 0:
            continue
        if isinstance(statement, s.Else) and _else_excluded(control, place, known):
            continue
        target = (step.target, _in_order(_after(step, control, known)))
        yield _run_in(processes, statement, known), target, step.atomic


def _else_excluded(control: Control, place: Element, known: Mapping[s.Declaration, int]) -> bool:
    conditions = [st.statement for st in control.steps[place] if isinstance(st.statement, s.Condition)]
    return any(is_true(c.value, known) for c in conditions)


def _after(step: Step, control: Control, known: dict[s.Declaration, int]) -> dict[s.Declaration, int]:
    after = dict(known)
    statements = [step.statement]
    if step.element in control.inside:
        inside = control.inside[step.element].steps.values()
        statements = [each.statement for steps in inside for each in steps]
    for statement in statements:
        match statement:
            case s.Assign(target=target, value=value):
                result = _valued(value, known) if len(statements) == 1 else None
                after.pop(target.declaration, None)
                if result is not None and isinstance(target.declaration.type, Basic) and target.declaration in known:
                    after[target.declaration] = target.declaration.type.wrapped(result)
            case s.Receive(arguments=arguments):
                for argument in arguments:
                    if isinstance(argument.value, s.Reference):
                        after.pop(argument.value.declaration, None)
    return after


def _run_in(
    processes: Mapping[str, s.Proctype], statement: s.Stmt | None, known: Mapping[s.Declaration, int]
) -> Made | None:
    match statement:
        case s.Condition(value=s.Run() as run) | s.Assign(value=s.Run() as run):
            parameters = processes[run.process].parameters if run.process in processes else ()
            given: dict[s.Declaration, int] = {}
            for parameter, argument in zip(parameters, run.arguments, strict=False):
                value = _valued(argument, known)
                if value is not None and isinstance(parameter.type, Basic) and parameter.type.kind != "chan":
                    given[parameter] = parameter.type.wrapped(value)
            return run.process, _in_order(given)
    return None


def _longest(followed: Followed, order: Sequence[Sequence[Situation]], name: Made) -> int | None:
    """The most edges with a `run` of the sort on one path; None if there is one on a cycle."""
    component = {node: k for k, nodes in enumerate(order) for node in nodes}
    best: dict[int, int] = {}
    for k, nodes in enumerate(order):  # those that are reached last come first
        most = 0
        for node in nodes:
            for run, target, _ in followed.edges[node]:
                weight = int(run == name)
                if component[target] == k:
                    if weight:
                        return None
                else:
                    most = max(most, weight + best[component[target]])
        best[k] = most
    return max(best.values(), default=0)


def _components(followed: Followed) -> list[list[Situation]]:
    """Strongly connected components, each after those that it leads to (Tarjan's algorithm, without recursion)."""
    index: dict[Situation, int] = {}
    low: dict[Situation, int] = {}
    stack: list[Situation] = []
    on_stack: set[Situation] = set()
    found: list[list[Situation]] = []
    for root in followed.edges:
        if root in index:
            continue
        work = [(root, iter(followed.edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, pending = work[-1]
            for _, target, _ in pending:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(followed.edges[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    cut = stack.index(node)
                    found.append(stack[cut:])
                    on_stack -= set(stack[cut:])
                    del stack[cut:]
    return found
