"""The native engine, as the rest of the program sees it: the only importer of the extension."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Protocol, get_args

from asset.engine.outcome import During, Finding, Limits, OnProgress, Outcome, Progress, Stop, Task
from asset.errors import EngineUnavailable
from asset.ir.program import State
from asset.ir.requirements import Branching, Predicate, Requirement, Stage, StepPredicate, Temporal
from asset.processor import processors

try:
    from asset.engine import _native
except ImportError as missing:
    raise EngineUnavailable.of(
        f"the native engine cannot be loaded: {missing}",
        remedy="install asset-mc for this version of Python, or use the reference engine (--engine reference)",
    ) from missing

if TYPE_CHECKING:
    from asset.ir.groups import Group

OBSERVE_EVERY = 0.1  # seconds

NONE = -1  # instead of a number that there is not

# In the order of native/search.h.
STOPS = (Stop.COMPLETE, Stop.FINDING, Stop.MAX_STATES, Stop.MAX_MEMORY, Stop.INTERRUPTED)
RULES = [kind for kind in get_args(Requirement) if kind.stage is Stage.GRAPH]  # native/progress.h
DURINGS = (During.FIRING, During.PREDICATE, During.RULE, During.REPRESENTATIVE, During.STEP)


Asked = Predicate | StepPredicate
"""What has a number in a model's table."""


class NativeModel(Protocol):
    """A program as machine code; the table at `address` lives as long as the object. If derived rules are used, it was
    made with their facts."""

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """By their numbers in the table."""
        ...

    @property
    def step_predicates(self) -> tuple[StepPredicate, ...]:
        """Likewise, those of steps."""
        ...

    @property
    def flat_facts(self) -> tuple[list[int], bytes, list[int]]:
        """The facts of derived rules that are known by tables, and those that are not, as native/rules.h has them."""
        ...

    @property
    def places(self) -> Sequence[tuple[int, int, int]]:
        """By cell: its word in a packed state, and its shift and width there."""
        ...

    @property
    def address(self) -> int: ...

    def pack(self, state: State, /) -> Sequence[int]: ...

    def unpack_run(self, words: Sequence[int], /) -> Iterable[State]:
        """The states that follow each other in the words."""
        ...


class _Run(threading.Thread):
    """Runs a search; `failure` is what it raised."""

    def __init__(self, search: _native.Search) -> None:
        super().__init__(name="asset-search", daemon=True)
        self.search = search
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            self.search.run()
        except BaseException as failure:
            self.failure = failure


def explore(model: NativeModel, task: Task, limits: Limits, on_progress: OnProgress | None = None) -> Outcome:
    """Explores everything reachable, or up to the first finding or limit; then checks what the task asks of the whole.

    Ctrl-C interrupts the search, not the program: what was counted so far is in the outcome. A second one does not wait
    until the search has ended.
    """
    search = _native.Search(model.address, _options(model, task, limits))
    started = time.perf_counter()
    ended = _run_observed(search, on_progress)
    seconds = time.perf_counter() - started
    if not ended:
        return _abandoned(_progress(search), seconds)
    return Outcome(
        stop=STOPS[search.stop],
        finding=_finding(search, model, task),
        states=search.states,
        edges=search.edges,
        enabled=search.enabled,
        depth=search.depth,
        terminal_states=search.terminal_states,
        levels=tuple(search.levels),
        explore_seconds=seconds,
        memory_peak=search.memory_peak,
        bytes_per_state=search.memory_peak / max(1, search.states),
        threads=search.threads,
        repair_seconds=search.repair_seconds,
        product=(search.product_vertices, search.product_edges) if task.on_the_fly else None,
    )


def _options(model: NativeModel, task: Task, limits: Limits) -> _native.Options:
    options = _native.Options()
    options.starts = [word for state in task.starts for word in model.pack(state)]
    options.stubborn = task.reductions.hand_rules
    options.symmetry = task.reductions.symmetry
    options.repair = task.repair and task.reductions.stubborn
    options.in_order = task.in_order
    options.on_the_fly = task.on_the_fly
    options.idle_steps = task.idle_steps
    options.max_states = limits.max_states or 0
    options.max_memory = limits.max_memory or 0
    options.threads = max(1, min(limits.threads, processors()))
    numbers: dict[Asked, int] = {predicate: number for number, predicate in enumerate(model.predicates)}
    numbers |= {predicate: number for number, predicate in enumerate(model.step_predicates)}
    for number, requirement in enumerate(task.requirements):
        _require(options, number, requirement, numbers)
    if task.reductions.derived is not None:
        from asset.engine.flat_rules import flat_writes, flatten  # here, as few searches need it

        derived = task.reductions.derived
        rules = _native.DerivedRules(*flatten(derived), *model.flat_facts)
        rules.initial = list(model.pack(derived.initial)) if derived.initial else []
        rules.writes = flat_writes(derived, model.places)
        rules.keys = list(derived.keys)
        options.set_derived(model.address, rules)
        if derived.cone is not None:
            options.matters = [node in derived.cone for node in range(len(derived.cases))]
        if derived.visible is not None:
            options.visible = [node in derived.visible for node in range(len(derived.cases))]
    if task.reductions.group is not None:
        _follow(options, task, task.reductions.group)
    return options


def _follow(options: _native.Options, task: Task, group: Group) -> None:
    first = 0
    for requirement, meanings in group.meanings.items():
        if requirement in task.requirements:
            images = bytes(image for step in meanings.images for image in step)
            commands = [command for back in meanings.back for command in back.commands]
            options.add_followed(task.requirements.index(requirement), first, len(meanings), images, commands)
        first += len(meanings) * len(requirement.predicates)


def _require(options: _native.Options, number: int, requirement: Requirement, known: Mapping[Asked, int]) -> None:
    """The engine is to decide the requirement, which has this number in the task. Its fields say what it is about."""
    predicates = [known[predicate] for predicate in requirement.predicates]
    if requirement.stage is Stage.STATE:
        for predicate in predicates:
            options.require_in_states(number, predicate)
    elif requirement.stage is Stage.TERMINAL:
        for predicate in predicates:
            options.require_in_terminal_states(number, predicate)
    elif isinstance(requirement, Temporal | Branching):
        _require_formula(options, number, requirement, known)
    else:
        values = [getattr(requirement, field.name) for field in fields(requirement)]
        commands = [sorted(value) for value in values if isinstance(value, frozenset)]
        terminal_counts = getattr(requirement, "terminal_is_progress", True)
        rule = RULES.index(type(requirement))
        idle_steps = requirement.idle_steps or options.idle_steps
        options.require_on_graph(number, rule, predicates, commands, terminal_counts, idle_steps)


def _require_formula(
    options: _native.Options,
    number: int,
    required: Temporal | Branching,
    known: Mapping[Asked, int],
) -> None:
    from asset.engine.flat_automata import flat_formula, flatten  # here, as few searches need it

    predicates = [known[predicate] for predicate in required.predicates]
    flat, parts = flatten(required, known), [] if isinstance(required, Temporal) else flat_formula(required)
    options.require_on_graph(number, RULES.index(type(required)), predicates, flat.commands, True, True)
    options.set_automaton(flat.shape, flat.observations, flat.moves, flat.weak, flat.strong)
    options.set_formula(parts)


def _run_observed(search: _native.Search, on_progress: OnProgress | None) -> bool:
    """Waits for the search in another thread, so that this one can show its progress and take Ctrl-C. Whether it has
    ended: a command of the model may never return.

    If the system gives us no other thread, the search runs in this one, and what is asked meanwhile is heard after it.
    """
    run = _Run(search)
    try:
        run.start()
    except RuntimeError:
        search.run()
        return True
    with suppress(KeyboardInterrupt):
        while run.is_alive():
            run.join(OBSERVE_EVERY)
            if run.is_alive() and on_progress is not None and not on_progress(_progress(search)):
                break
    search.interrupt()
    with suppress(KeyboardInterrupt):
        run.join()
    if run.failure is not None:
        raise run.failure
    return not run.is_alive()


def is_searching() -> bool:
    """Whether a search that was abandoned still runs; then the process cannot end in order."""
    return any(isinstance(thread, _Run) for thread in threading.enumerate())


def _abandoned(progress: Progress, seconds: float) -> Outcome:
    return Outcome(
        stop=Stop.INTERRUPTED,
        finding=None,
        states=progress.states,
        edges=progress.edges,
        enabled=progress.edges,
        depth=progress.depth,
        terminal_states=0,
        levels=(),
        explore_seconds=seconds,
        memory_peak=progress.memory,
        bytes_per_state=progress.memory / max(1, progress.states),
    )


def _progress(search: _native.Search) -> Progress:
    return Progress(search.states, search.edges, search.frontier, search.depth, search.memory)


def _finding(search: _native.Search, model: NativeModel, task: Task) -> Finding | None:
    if search.finding is None:
        return None
    requirement, during, predicate, command, lost_at, cycle_at, commands, words = search.finding
    path = tuple(zip(map(_known, commands), model.unpack_run(words), strict=True))
    return Finding(
        requirement=None if requirement == NONE else task.requirements[requirement],
        path=path,
        progress_lost_at=_known(lost_at),
        cycle_starts_at=_known(cycle_at),
        during=DURINGS[during] if requirement == NONE else None,
        predicate=_predicate(model, DURINGS[during], predicate),
        command=_known(command),
    )


def _predicate(model: NativeModel, during: During, number: int) -> Predicate | StepPredicate | None:
    if number == NONE:
        return None
    return model.step_predicates[number] if during is During.STEP else model.predicates[number]


def _known(number: int) -> int | None:
    return None if number == NONE else number
