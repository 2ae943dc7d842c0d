"""The native engine, as the rest of the program sees it: the only importer of the extension."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
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

# In the order of native/abi.h and native/search.h.
KINDS = (PropertyKind.INVARIANT, PropertyKind.TERMINAL, PropertyKind.MAY_PROGRESS, PropertyKind.MUST_PROGRESS)
STOPS = (Stop.COMPLETE, Stop.FINDING, Stop.MAX_STATES, Stop.MAX_MEMORY, Stop.INTERRUPTED)
WRONGS = (
    Wrong.INVARIANT,
    Wrong.TERMINAL,
    Wrong.MAY_PROGRESS,
    Wrong.MUST_PROGRESS,
    Wrong.RECURRENCE,
    Wrong.TERMINATION,
    Wrong.FAULT,
)
DURINGS = (During.FIRING, During.PROPERTY, During.RULE, During.REPRESENTATIVE)


class NativeModel(Protocol):
    """A program as machine code; the table at `address` lives as long as the object. Where derived rules are used, it
    was made with their facts."""

    @property
    def program(self) -> Program: ...

    @property
    def flat_facts(self) -> tuple[list[int], bytes, list[int]]:
        """The facts of derived rules that are known by tables, and those that are not, as native/rules.h has them."""
        ...

    @property
    def address(self) -> int: ...

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
    search = _native.Search(model.address, _options(model, task, limits))
    started = time.perf_counter()
    _run_observed(search, observer)
    seconds = time.perf_counter() - started
    return Outcome(
        stop=STOPS[search.stop],
        finding=_finding(search, model),
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
    invariant, terminal, may, must = (task.properties.get(kind, 0) for kind in KINDS)
    options.checked = (invariant, terminal, may, must)
    options.terminates = task.terminates
    options.terminal_is_no_may_progress = task.terminal_is_no_may_progress
    options.terminal_is_no_must_progress = task.terminal_is_no_must_progress
    options.stubborn = task.stubborn
    options.symmetry = task.symmetry
    options.in_order = task.in_order
    options.max_states = limits.max_states or 0
    options.max_memory = limits.max_memory or 0
    options.threads = max(1, limits.threads)
    if task.derived is not None:
        from asset.engine.flat_rules import flatten  # here, as few searches need it

        options.set_derived(model.address, _native.DerivedRules(*flatten(task.derived), *model.flat_facts))
    if task.recurrences:
        for index, recurrence in enumerate(model.program.recurrences):
            if task.recurrences >> index & 1:
                options.add_recurrence(index, sorted(recurrence.again), sorted(recurrence.then))
    if task.group is not None:
        first = 0
        for (kind, index), meanings in task.group.meanings.items():
            images = bytes(image for step in meanings.images for image in step)
            options.add_followed(KINDS.index(kind), index, first, len(meanings), images)
            first += len(meanings)
    return options


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


def _finding(search: _native.Search, model: NativeModel) -> Finding | None:
    if search.finding is None:
        return None
    wrong, index, during, kind, command, lost_at, cycle_at, commands, words = search.finding
    width = len(words) // len(commands)
    path = tuple((_known(by), model.unpack(words[i * width : (i + 1) * width])) for i, by in enumerate(commands))
    return Finding(
        wrong=WRONGS[wrong],
        path=path,
        index=index,
        progress_lost_at=_known(lost_at),
        cycle_starts_at=_known(cycle_at),
        during=DURINGS[during] if WRONGS[wrong] is Wrong.FAULT else None,
        kind=None if kind < 0 else KINDS[kind],
        command=_known(command),
    )


def _known(number: int) -> int | None:
    return None if number < 0 else number
