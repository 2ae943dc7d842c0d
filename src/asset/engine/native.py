"""The native engine, as the rest of the program sees it: the only importer of the extension."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Protocol

from asset.engine.outcome import During, Finding, Limits, Observer, Outcome, Progress, Stop, Task, Wrong
from asset.errors import EngineUnavailable
from asset.ir.program import Program, PropertyKind, State

try:
    from asset.engine import _native
except ImportError as missing:
    raise EngineUnavailable.of(
        f"the native engine cannot be loaded: {missing}",
        remedy="install asset-mc for this version of Python, or use the reference engine (--engine reference)",
    ) from missing

OBSERVE_EVERY = 0.1  # seconds

# In the order of native/search.h.
STOPS = (Stop.COMPLETE, Stop.FINDING, Stop.MAX_STATES, Stop.MAX_MEMORY, Stop.INTERRUPTED)
DURINGS = (During.FIRING, During.PROPERTY, During.RULE, During.REPRESENTATIVE)


Required = tuple[Wrong, int]
"""A requirement: what is wrong if it is violated, and its index among those of its kind."""


class NativeModel(Protocol):
    """A program as machine code; the table at `address` lives as long as the object. If derived rules are used, it was
    made with their facts."""

    @property
    def program(self) -> Program: ...

    @property
    def flat_facts(self) -> tuple[list[int], bytes, list[int]]:
        """The facts of derived rules that are known by tables, and those that are not, as native/rules.h has them."""
        ...

    @property
    def address(self) -> int: ...

    @property
    def start(self) -> Sequence[int]:
        """The words of the state that a search starts in."""
        ...

    def unpack(self, words: Sequence[int], /) -> State: ...


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


def explore(model: NativeModel, task: Task, limits: Limits, observer: Observer | None = None) -> Outcome:
    """Explores everything reachable, or up to the first finding or limit; then checks what the task asks of the whole.

    Ctrl-C interrupts the search, not the program: what was counted so far is in the outcome.
    """
    options = _options(model, task, limits)
    required = _require(options, model.program, task)
    search = _native.Search(model.address, options)
    started = time.perf_counter()
    _run_observed(search, observer)
    seconds = time.perf_counter() - started
    return Outcome(
        stop=STOPS[search.stop],
        finding=_finding(search, model, required),
        states=search.states,
        edges=search.edges,
        enabled=search.enabled,
        depth=search.depth,
        terminal_states=search.terminal_states,
        explore_seconds=seconds,
        memory_peak=search.memory_peak,
        bytes_per_state=search.memory_peak / max(1, search.states),
    )


def _options(model: NativeModel, task: Task, limits: Limits) -> _native.Options:
    options = _native.Options()
    options.starts = list(model.start)
    options.stubborn = task.stubborn
    options.symmetry = task.symmetry
    options.in_order = task.in_order
    options.max_states = limits.max_states or 0
    options.max_memory = limits.max_memory or 0
    options.threads = max(1, limits.threads)
    if task.derived is not None:
        from asset.engine.flat_rules import flatten  # here, as few searches need it

        options.set_derived(model.address, _native.DerivedRules(*flatten(task.derived), *model.flat_facts))
    if task.group is not None:
        first = 0
        for (kind, index), meanings in task.group.meanings.items():
            images = bytes(image for step in meanings.images for image in step)
            options.add_followed(_predicates(model.program, kind)[index], first, len(meanings), images)
            first += len(meanings)
    return options


def _require(options: _native.Options, program: Program, task: Task) -> list[Required]:
    """The requirements, by the numbers that they are given here."""
    required: list[Required] = []

    def selected(kind: PropertyKind, wrong: Wrong) -> Iterator[tuple[int, int]]:
        for index, predicate in enumerate(_predicates(program, kind)):
            if task.properties.get(kind, 0) >> index & 1:
                required.append((wrong, index))
                yield len(required) - 1, predicate

    for number, predicate in selected(PropertyKind.INVARIANT, Wrong.INVARIANT):
        options.require_in_states(number, predicate)
    for number, predicate in selected(PropertyKind.TERMINAL, Wrong.TERMINAL):
        options.require_in_terminal_states(number, predicate)
    for number, predicate in selected(PropertyKind.MAY_PROGRESS, Wrong.MAY_PROGRESS):
        options.require_progress(number, False, predicate, not task.terminal_is_no_may_progress)
    for number, predicate in selected(PropertyKind.MUST_PROGRESS, Wrong.MUST_PROGRESS):
        options.require_progress(number, True, predicate, not task.terminal_is_no_must_progress)
    for index, recurrence in enumerate(program.recurrences):
        if task.recurrences >> index & 1:
            options.require_recurrence(len(required), sorted(recurrence.again), sorted(recurrence.then))
            required.append((Wrong.RECURRENCE, index))
    if task.terminates:
        options.require_progress(len(required), False, -1, True)
        required.append((Wrong.TERMINATION, 0))
    return required


def _predicates(program: Program, kind: PropertyKind) -> list[int]:
    """The numbers of the predicates of the kind."""
    return [number for number, prop in enumerate(program.properties) if prop.kind is kind]


def _run_observed(search: _native.Search, observer: Observer | None) -> None:
    """Waits for the search in another thread, so that this one can show its progress and take Ctrl-C."""
    run = _Run(search)
    run.start()
    with suppress(KeyboardInterrupt):
        try:
            while run.is_alive():
                run.join(OBSERVE_EVERY)
                if run.is_alive() and observer is not None and not observer(_progress(search)):
                    break
        finally:
            search.interrupt()
            run.join()
    if run.failure is not None:
        raise run.failure


def _progress(search: _native.Search) -> Progress:
    return Progress(search.states, search.edges, search.frontier, search.depth, search.memory)


def _finding(search: _native.Search, model: NativeModel, required: Sequence[Required]) -> Finding | None:
    if search.finding is None:
        return None
    requirement, during, predicate, command, lost_at, cycle_at, commands, words = search.finding
    width = len(words) // len(commands)
    path = tuple((_known(by), model.unpack(words[i * width : (i + 1) * width])) for i, by in enumerate(commands))
    if requirement >= 0:
        wrong, index = required[requirement]
        return Finding(wrong, path, index, progress_lost_at=_known(lost_at), cycle_starts_at=_known(cycle_at))
    kind = model.program.properties[predicate].kind if predicate >= 0 else None
    return Finding(
        wrong=Wrong.FAULT,
        path=path,
        index=_predicates(model.program, kind).index(predicate) if kind else 0,
        during=DURINGS[during],
        kind=kind,
        command=_known(command),
    )


def _known(number: int) -> int | None:
    return None if number < 0 else number
