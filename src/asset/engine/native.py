"""The native engine, as the rest of the program sees it: the only importer of the extension."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Protocol, get_args

from asset.engine.omissions import Omissions, Table
from asset.engine.outcome import (
    Asking,
    Checkpoint,
    During,
    Finding,
    Limits,
    OnProgress,
    Outcome,
    Progress,
    Sampled,
    Sampling,
    SearchProfile,
    Standing,
    Stop,
    Task,
    Work,
    cut_off,
)
from asset.errors import EngineUnavailable, UsageError
from asset.ir.program import State
from asset.ir.requirements import Branching, Predicate, Recurrence, Requirement, Stage, StepPredicate, Temporal
from asset.processor import processors

try:
    from asset.engine import _native
except ImportError as missing:
    raise EngineUnavailable.of(
        f"the native engine cannot be loaded: {missing}",
        remedy="install asset-mc for this version of Python, or use the reference engine (--engine reference)",
    ) from missing

if TYPE_CHECKING:
    from asset.ir.derived import DerivedRules
    from asset.ir.groups import Group

Rank = _native.Rank
Backward = _native.Backward
Trimming = _native.Trimming

OBSERVE_EVERY = 0.1  # seconds

WORTH_IMPROVING = 0.05
"""Seconds of exploring from which on better code pays that is made for the next time."""

NONE = -1  # instead of a number that there is not

# In the order of native/search.h.
STOPS = (Stop.COMPLETE, Stop.FINDING, Stop.MAX_STATES, Stop.MAX_MEMORY, Stop.INTERRUPTED)
RULES = [kind for kind in get_args(Requirement) if kind.stage is Stage.GRAPH]  # native/progress.h
RULES_OF_CYCLES = frozenset(
    map(RULES.index, (Recurrence, Temporal))
)  # what is wrong is what recurs, not where it leads
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
    def sizes(self) -> Sequence[int]:
        """By cell: how many values it can have."""
        ...

    @property
    def address(self) -> int: ...

    def entry(self, name: str) -> int:
        """The address of a function of the code that is in no table; 0 if there is none."""
        ...

    def touched_bits(self) -> Iterable[int]:
        """The bits of a packed state that commands touch: for each command of which it is known, and each word, these
        three numbers."""
        ...

    def better(self) -> int | None:
        """If better code has been made since the last call, the address of its table."""
        ...

    def improve_for_later(self) -> None:
        """Better code that is being made will be there next time, though nobody waits for it."""
        ...

    def pack(self, state: State, /) -> Sequence[int]: ...

    def unpack_run(self, words: Sequence[int], /) -> Iterable[State]:
        """The states that follow each other in the words."""
        ...


class Code(Protocol):
    """Machine code; its table at `address` lives as long as the object."""

    @property
    def address(self) -> int: ...


class _Asked:
    """Asks whether a search goes on, at its stations (native/search.h)."""

    def __init__(self, search: _native.Search, asking: Asking) -> None:
        self.search = search
        self.asking = asking
        self.refused = False
        self._prepared = False
        self._answered = False

    def ask(self, is_running: Callable[[], bool]) -> None:
        """To be called now and then."""
        known = self._standings()
        if known and not self._prepared:
            self._prepared = True
            self.asking.prepare(known[0], lambda: is_running() and not self._goes_on_anyway())
            known = self._standings()
        if len(known) < 2 or self._goes_on_anyway():
            return
        self._answered = True
        if self.asking.goes_on(known[1]):
            self.search.go_on()
        else:
            self.refused = True
            self.search.interrupt()

    def _goes_on_anyway(self) -> bool:
        """Whether the search goes on whatever the answer would be, as it was not worth waiting for."""
        known = self._standings()
        if len(known) == 2 and not self.asking.worth_waiting(known[1]):
            self._answered = True
            self.search.go_on()
        return self._answered

    def _standings(self) -> list[Standing]:
        """None if nothing is left to be asked."""
        if self._answered:
            return []
        return [Standing(tuple(levels), states, edges) for levels, states, edges in self.search.standings]


class _Run(threading.Thread):
    """Runs a search; `failure` is what it raised."""

    def __init__(self, search: _native.Search | _native.Simulation) -> None:
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
    started, system = time.perf_counter(), _system_seconds() if task.profile else 0.0
    table = _table(limits)
    with _resuming(limits.checkpoint):
        search = _search(model, task, limits, table)
        asked = None if limits.asking is None else _Asked(search, limits.asking)

        def attend(is_running: Callable[[], bool]) -> None:
            def goes_on() -> bool:
                _improve(search, model)
                return is_running()

            if goes_on() and asked is not None:
                asked.ask(goes_on)

        ended = _run_observed(search, on_progress, attend)
    seconds = time.perf_counter() - started - search.waited_seconds
    if not ended:
        return cut_off(Stop.INTERRUPTED, _progress(search), seconds)
    if seconds >= WORTH_IMPROVING and STOPS[search.stop] is not Stop.INTERRUPTED:
        model.improve_for_later()
    findings = tuple(found(model, task, each) for each in search.findings)
    outcome = Outcome(
        stop=Stop.MAX_STATES if asked is not None and asked.refused else STOPS[search.stop],
        finding=findings[0] if findings else None,
        further=findings[1:],
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
        nodes=search.nodes,
        spilled=search.spilled,
        told=search.spill_failure,
        waited_seconds=search.waited_seconds,
        repair_seconds=search.repair_seconds,
        explored=search.explored,
        product=(search.product_vertices, search.product_edges) if task.on_the_fly else None,
        profile=_profile(search, system),
        checkpoint_failure=search.checkpoint_failure,
    )
    return outcome if table is None else _approximate(outcome, table)


def _search(model: NativeModel, task: Task, limits: Limits, table: Table | None) -> _native.Search:
    options, checkpoint = flat_options(model, task, limits).made(model.address), limits.checkpoint
    if table is not None and limits.approximate is not None:
        kind = ("bitstate", "compact").index(table.store) + 1  # native/approximation.h
        options.approximate(kind, table.parameter, table.size, limits.approximate.seed)
    options.storing = (None, "exact", "tree").index(limits.store)  # native/search.h
    options.spill = limits.spill or ""
    if limits.asking is not None:
        options.stations = [limits.asking.begins, limits.asking.ends]
    if checkpoint is not None and not task.on_the_fly:
        options.set_checkpoint(checkpoint.file, checkpoint.told, checkpoint.every, checkpoint.resume)
    return _native.Search(model.address, options)


@contextmanager
def _resuming(checkpoint: Checkpoint | None) -> Iterator[None]:
    """A file that is damaged is not our mistake."""
    try:
        yield
    except RuntimeError as failed:
        if checkpoint is None or not checkpoint.resume:
            raise
        raise UsageError.of(f"{checkpoint.file} cannot be resumed: {failed}") from None


def simulate(
    model: NativeModel, task: Task, sampling: Sampling, threads: int, on_progress: OnProgress | None = None
) -> Outcome:
    """Makes random runs up to the first in which something is wrong (`asset.engine.simulation`)."""
    options = flat_options(model, task, Limits(threads=threads)).made(model.address)
    cells = [number for cell in sampling.counted for number in (*model.places[cell], model.sizes[cell])]
    bounds = [sampling.length, sampling.steps or 0, sampling.lanes(options.threads)]
    tells, touched = model.entry("enabled"), list(model.touched_bits())
    simulation = _native.Simulation(model.address, options, sampling.seed, bounds, cells, tells, touched)
    started = time.perf_counter()
    ended = _run_observed(simulation, on_progress)
    seconds = time.perf_counter() - started
    if not ended:
        return cut_off(Stop.INTERRUPTED, _progress(simulation), seconds)
    finding = None if simulation.finding is None else found(model, task, simulation.finding)
    stop = Stop.FINDING if finding else Stop.INTERRUPTED if simulation.interrupted else Stop.SAMPLED
    return Outcome(
        stop=stop,
        finding=finding,
        states=round(simulation.distinct),
        edges=simulation.steps,
        enabled=simulation.steps,
        depth=simulation.longest,
        terminal_states=simulation.terminal,
        levels=(),
        explore_seconds=seconds,
        memory_peak=0,
        bytes_per_state=0,
        threads=simulation.threads,
        sampled=Sampled(
            simulation.runs,
            frozenset(simulation.fired),
            tuple(map(len, simulation.values)),
            round(simulation.distinct),
            simulation.found_length,
        ),
    )


@dataclass(frozen=True, slots=True)
class Place:
    """Of a rank: its number, how many there are, bytes that may be on their way to one of them, whether all states are
    kept, how many ranks share the memory of a machine, and the masks under which the parities of a state say whose it
    is (a hash of all bits if there are none)."""

    number: int = 0
    ranks: int = 1
    room: int = 0
    keep: bool = False
    sharing: int = 1
    masks: Sequence[int] = ()


def rank(code: Code, asked: FlatOptions, place: Place) -> _native.Rank:
    """One of the ranks of a cluster (native/rank.h)."""
    options = asked.made(code.address)
    options.sharing = place.sharing
    return _native.rank(code.address, options, place.number, place.ranks, place.masks, place.room, place.keep)


def found(model: NativeModel, task: Task, told: Sequence[Any]) -> Finding:
    """What an engine has found, from the numbers in which it tells it."""
    requirement, during, predicate, command, lost_at, cycle_at, commands, words, whole = told
    path = tuple(zip(map(_known, commands), model.unpack_run(words), strict=True))
    return Finding(
        requirement=None if requirement == NONE else task.requirements[requirement],
        path=path,
        progress_lost_at=_known(lost_at),
        cycle_starts_at=_known(cycle_at),
        during=DURINGS[during] if requirement == NONE else None,
        predicate=_predicate(model, DURINGS[during], predicate),
        command=_known(command),
        whole=whole,
    )


@dataclass(slots=True)
class FlatOptions:
    """What the extension is asked, as ints, bytes and flat lists, which can go to another process: the values of
    options, what is called with which arguments, and derived rules."""

    values: dict[str, Any]
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    rules: tuple[Any, ...] | None = None
    rule_values: dict[str, Any] = field(default_factory=dict)

    def made(self, address: int) -> _native.Options:
        """For the model whose table is there."""
        options = _native.Options()
        for name, value in self.values.items():
            setattr(options, name, value)
        for name, *arguments in self.calls:
            getattr(options, name)(*arguments)
        if self.rules is not None:
            rules = _native.DerivedRules(*self.rules)
            for name, value in self.rule_values.items():
                setattr(rules, name, value)
            options.set_derived(address, rules)
        return options


def flat_options(model: NativeModel, task: Task, limits: Limits) -> FlatOptions:
    """What the extension is asked about the model."""
    options = FlatOptions(
        {
            "starts": [word for state in task.starts for word in model.pack(state)],
            "stubborn": task.reductions.hand_rules,
            "symmetry": task.reductions.symmetry,
            "repair": task.repair and task.reductions.stubborn,
            "in_order": task.in_order,
            "on_the_fly": task.on_the_fly,
            "idle_steps": task.idle_steps,
            "keep_going": task.keep_going,
            "max_states": limits.max_states or 0,
            "max_memory": limits.max_memory or 0,
            "threads": max(1, min(limits.threads, processors())),
        }
    )
    if task.profile:
        options.calls.append(("ask_profile",))
    numbers: dict[Asked, int] = {predicate: number for number, predicate in enumerate(model.predicates)}
    numbers |= {predicate: number for number, predicate in enumerate(model.step_predicates)}
    for number, requirement in enumerate(task.requirements):
        _require(options, number, requirement, numbers)
    if task.reductions.derived is not None:
        _reduce(options, model, task.reductions.derived)
    if task.reductions.group is not None:
        _follow(options, task, task.reductions.group)
    return options


def _table(limits: Limits) -> Table | None:
    if limits.approximate is None:
        return None
    return limits.approximate.table(limits.max_memory, _native.available_memory())


def _approximate(outcome: Outcome, table: Table) -> Outcome:
    """What a search says that may have omitted states: nothing of what it did not find, and of what it found only what
    it can show."""
    lost = outcome.finding is not None and not outcome.finding.whole
    if lost:
        outcome = replace(outcome, finding=None)
    if lost or outcome.stop is Stop.COMPLETE:
        outcome = replace(outcome, stop=Stop.APPROXIMATE)
    return replace(outcome, explored=False, omissions=Omissions(table, table.omissions(outcome.states), lost))


def _reduce(options: FlatOptions, model: NativeModel, derived: DerivedRules) -> None:
    from asset.engine.flat_rules import flat_writes, flatten  # here, as few searches need it

    options.rules = (*flatten(derived), *model.flat_facts)
    options.rule_values = {
        "initial": list(model.pack(derived.initial)) if derived.initial else [],
        "writes": flat_writes(derived, model.places),
        "keys": list(derived.keys),
    }
    options.values["only_changes"] = not derived.idle_steps
    if derived.cone is not None:
        options.values["matters"] = [node in derived.cone for node in range(len(derived.cases))]
    if derived.visible is not None:
        options.values["visible"] = [node in derived.visible for node in range(len(derived.cases))]


def _follow(options: FlatOptions, task: Task, group: Group) -> None:
    first = 0
    for requirement, meanings in group.meanings.items():
        if requirement in task.requirements:
            images = bytes(image for step in meanings.images for image in step)
            commands = [command for back in meanings.back for command in back.commands]
            number = task.requirements.index(requirement)
            options.calls.append(("add_followed", number, first, len(meanings), images, commands))
        first += len(meanings) * len(requirement.predicates)


def _require(options: FlatOptions, number: int, requirement: Requirement, known: Mapping[Asked, int]) -> None:
    """The engine is to decide the requirement, which has this number in the task. Its fields say what it is about."""
    predicates = [known[predicate] for predicate in requirement.predicates]
    if requirement.stage is Stage.STATE:
        options.calls += [("require_in_states", number, predicate) for predicate in predicates]
    elif requirement.stage is Stage.TERMINAL:
        options.calls += [("require_in_terminal_states", number, predicate) for predicate in predicates]
    elif isinstance(requirement, Temporal | Branching):
        _require_formula(options, number, requirement, known)
    else:
        values = [getattr(requirement, each.name) for each in fields(requirement)]
        commands = [sorted(value) for value in values if isinstance(value, frozenset)]
        terminal_counts = getattr(requirement, "terminal_is_progress", True)
        rule = RULES.index(type(requirement))
        idle_steps = requirement.idle_steps or options.values["idle_steps"]
        options.calls.append(("require_on_graph", number, rule, predicates, commands, terminal_counts, idle_steps))


def _require_formula(
    options: FlatOptions,
    number: int,
    required: Temporal | Branching,
    known: Mapping[Asked, int],
) -> None:
    from asset.engine.flat_automata import flat_formula, flatten  # here, as few searches need it

    predicates = [known[predicate] for predicate in required.predicates]
    flat, parts = flatten(required, known), [] if isinstance(required, Temporal) else flat_formula(required)
    rule = RULES.index(type(required))
    options.calls += [
        ("require_on_graph", number, rule, predicates, flat.commands, True, True),
        ("set_automaton", flat.shape, flat.observations, flat.moves, flat.weak, flat.strong),
        ("set_formula", parts),
    ]


def _improve(search: _native.Search, model: NativeModel) -> None:
    if better := model.better():
        search.improve(better)


def _run_observed(
    search: _native.Search | _native.Simulation,
    on_progress: OnProgress | None,
    now_and_then: Callable[[Callable[[], bool]], None] = lambda is_running: None,
) -> bool:
    """Waits for the search in another thread, so that this one can show its progress and take Ctrl-C. Whether it has
    ended: a command of the model may never return.

    If the system gives us no other thread, the search runs in this one, asks nobody, and what is asked meanwhile is
    heard after it.
    """
    run = _Run(search)
    try:
        run.start()
    except RuntimeError:
        if isinstance(search, _native.Search):
            search.go_on()
        search.run()
        return True
    try:
        with suppress(KeyboardInterrupt):
            while run.is_alive():
                run.join(OBSERVE_EVERY)
                now_and_then(run.is_alive)
                if run.is_alive() and on_progress is not None and not on_progress(_progress(search)):
                    break
    finally:
        if run.is_alive():
            search.interrupt()
    with suppress(KeyboardInterrupt):
        run.join()
    if run.failure is not None:
        raise run.failure
    return not run.is_alive()


def is_searching() -> bool:
    """Whether a search that was abandoned still runs; then the process cannot end in order."""
    return any(isinstance(thread, _Run) for thread in threading.enumerate())


def _progress(search: _native.Search | _native.Simulation) -> Progress:
    if isinstance(search, _native.Simulation):
        return Progress(0, search.steps, search.runs, search.longest, 0)
    return Progress(search.states, search.edges, search.frontier, search.depth, search.memory)


def _profile(search: _native.Search, system: float) -> SearchProfile | None:
    if search.profile is None:
        return None
    seconds, sample = search.profile
    return SearchProfile(dict(zip(Work, seconds, strict=True)), max(0.0, _system_seconds() - system), sample)


def _system_seconds() -> float:
    """What the operating system has done for this process, which waits while it searches; 0 if it does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_stime


def _predicate(model: NativeModel, during: During, number: int) -> Predicate | StepPredicate | None:
    if number == NONE:
        return None
    return model.step_predicates[number] if during is During.STEP else model.predicates[number]


def _known(number: int) -> int | None:
    return None if number == NONE else number
