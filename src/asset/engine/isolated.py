"""Running and exploring a library in child processes: whatever it does, it does not take the tool down with it."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any, TextIO

from asset.engine import process
from asset.engine.outcome import During, Finding, Limits, OnProgress, Outcome, Sampling, Task
from asset.engine.process import Bounds, ChildAnswer, ChildProcess, Died, Doing
from asset.errors import ModelRejected, UsageError
from asset.ir.faults import Fault, FaultKind
from asset.ir.library import Library
from asset.ir.program import State
from asset.ir.requirements import Invariant, Predicate, Terminal
from asset.processor import processors
from asset.span import Span

MOST_OUTPUT = 16 << 20
"""Bytes of each stream of a model that are passed on."""

PORTION, PORTIONS = 1 << 16, 256
"""Bytes that are read at once, and how often before the model is looked at again."""


_Search = Callable[[int, ChildProcess, process.Heed], ChildAnswer]
"""Asks a child for a search with so many threads."""


class LibraryExecutable:
    """A library as an executable: each call is one in a child process, which is begun anew if it has ended.

    What a search has found is not tried again if that may turn out otherwise: the end of a process, and what a model
    with variables of its own has said.
    """

    def __init__(self, library: Library, patience: float) -> None:
        self.library = library
        self.program = library.program
        self.patience = patience
        self._faults: dict[Doing, tuple[FaultKind, str]] = {}
        self._complaints: dict[Doing, str] = {}
        self._process: list[ChildProcess] = []  # none or one; shared with copies of this object
        self._asking = Lock()  # a check and a page that shows states may ask at the same time

    # --- asset.engine.outcome.Executable ------------------------------------------------------------------------

    def fire(self, state: State, command: int) -> State | None:
        doing = Doing(process.FIRING, command, self.library.pack(state))
        after = self._ask("fire", doing, self.program.commands[command][0].span).result
        return None if after is None else self.library.unpack(after)

    def evaluate(self, predicate: Predicate, state: State) -> str | None:
        doing = self._evaluating(predicate, self.library.pack(state))
        if doing in self._complaints:
            return self._complaints[doing]
        answer = self._ask("evaluate", doing, predicate.span)
        return None if answer.result else answer.said or f"{predicate.name} is false"

    def _evaluating(self, predicate: Predicate, words: Sequence[int]) -> Doing:
        return Doing(process.EVALUATING, self.program.predicates.index(predicate), tuple(words))

    def obligations(self, state: State, command: int) -> tuple[int, ...]:
        doing = Doing(process.OBLIGING, command, self.library.pack(state))
        listed: tuple[int, ...] = self._ask("oblige", doing, self.program.commands[command][0].span).result
        return listed

    def representative(self, state: State) -> State:
        if self.program.representative is None:
            return state
        doing = Doing(process.REPRESENTING, 0, self.library.pack(state))
        return self.library.unpack(self._ask("represent", doing, self.program.families[0].span).result)

    def shown(self, state: State) -> str | None:
        """The state as print_state shows it; None if the model has no such function, or it goes wrong."""
        if not self.library.prints:
            return None
        doing = Doing(process.PRINTING, 0, self.library.pack(state))
        try:
            text: str = self._ask("print", doing, self.program.families[0].span).result
        except Fault:
            return None
        return text.removesuffix("\n")

    # --- exploring ----------------------------------------------------------------------------------------------

    def explore(self, task: Task, limits: Limits, on_progress: OnProgress | None) -> Outcome:
        """Explores in a child process of its own. If that ends in the model, the same search is made again, in which
        what ended it is a model error: so the counts and the run to it are those of any other model error."""

        def explored(threads: int, child: ChildProcess, heed: process.Heed) -> ChildAnswer:
            kept = limits.checkpoint if threads == limits.threads else None
            asked = replace(limits, threads=threads, checkpoint=kept)
            return child.ask("explore", self._packed(task), asked, self.program.predicates, heed=heed)

        memory = min(process.CALL_MEMORY, limits.max_memory or process.CALL_MEMORY)
        return self._repeatedly(explored, limits.threads, memory, on_progress)

    def simulate(self, task: Task, sampling: Sampling, threads: int, on_progress: OnProgress | None) -> Outcome:
        """Random runs, likewise."""
        places = [(place.word, place.shift, place.bits) for place in self.library.places]

        def simulated(threads: int, child: ChildProcess, heed: process.Heed) -> ChildAnswer:
            task_here, predicates = self._packed(task), self.program.predicates
            return child.ask("simulate", task_here, sampling, threads, predicates, places, heed=heed)

        return self._repeatedly(simulated, threads, process.CALL_MEMORY, on_progress)

    def _packed(self, task: Task) -> Task:
        """The task as the child knows it: states are words."""
        packed = tuple(self.library.pack(state) for state in task.starts)
        return replace(task, starts=packed, in_order=bool(self.library.own_variables))

    def _repeatedly(self, search: _Search, asked: int, memory: int, on_progress: OnProgress | None) -> Outcome:
        """What the search says in a child process, in which whatever ended the process before is a model error."""
        if self.library.own_variables and asked > 1:
            raise UsageError.of(
                f"the model has variables of its own, which threads would change at once: {self._own()}",
                remedy="leave out threads, or make them const or state variables",
            )
        traps: list[Died] = []
        threads = asked
        while True:
            try:
                outcome = self._in_child(partial(search, threads), memory, on_progress, traps)
                return outcome if threads == asked else replace(outcome, threads=min(asked, processors()))
            except Died as died:
                if threads > 1:  # one thread only can tell where it was
                    threads = 1
                elif died.doing in (trap.doing for trap in traps):
                    raise ModelRejected.of(f"{died.message}, and it cannot be said where") from None
                else:
                    traps.append(died)
                    self._faults[died.doing] = (died.kind, died.message)

    def _in_child(
        self,
        search: Callable[[ChildProcess, process.Heed], ChildAnswer],
        memory: int,
        on_progress: OnProgress | None,
        traps: list[Died],
    ) -> Outcome:
        output = _Output()
        child = ChildProcess(self.library, Bounds(self.patience, memory), output.writers)
        output.listen()
        try:
            child.begin(_heeding(None, output))
            for trap in traps:
                if not child.ask("trap", trap.doing.what, trap.doing.number, int(trap.kind), trap.doing.words).result:
                    raise ModelRejected.of(f"{trap.message}, as it did in {len(traps) - 1} other places before")
            answer = search(child, _heeding(on_progress, output))
        finally:
            child.close()
            output.close()
        outcome: Outcome = answer.result
        if outcome.finding is None:
            return outcome
        self._remember(outcome.finding, answer.said)
        further = tuple(map(self._unpacked, outcome.further))
        return replace(outcome, finding=self._unpacked(outcome.finding), further=further)

    def _unpacked(self, finding: Finding) -> Finding:
        return replace(finding, path=tuple((command, self.library.unpack(words)) for command, words in finding.path))

    def _remember(self, finding: Finding, said: str) -> None:
        """What a model with variables of its own said, it may not say again. The path is in words."""
        if not self.library.own_variables:
            return
        last = finding.path[-1][1]
        if isinstance(finding.requirement, Invariant | Terminal):
            self._complaints[self._evaluating(finding.requirement.predicate, last)] = said
        elif finding.during is During.FIRING and finding.command is not None:
            self._faults.setdefault(Doing(process.FIRING, finding.command, last), (FaultKind.RAISE, said))

    def _own(self) -> str:
        return ", ".join(self.library.own_variables)

    # --- single calls -------------------------------------------------------------------------------------------

    def _ask(self, name: str, doing: Doing, span: Span) -> ChildAnswer:
        if doing in self._faults:
            kind, message = self._faults[doing]
            raise Fault(kind, span, message)
        arguments: Sequence[Any] = [doing.words, doing.number]
        if doing.what in (process.REPRESENTING, process.PRINTING):
            arguments = [doing.words]
        try:
            with self._asking:
                answer = self._child().ask(name, *arguments)
        except Died as died:
            self._process.clear()
            self._faults[doing] = (died.kind, died.message)
            raise Fault(died.kind, span, died.message) from None
        if answer.fault is not None:
            raise Fault(answer.fault, span, answer.said)
        return answer

    def _child(self) -> ChildProcess:
        if not self._process:
            child = ChildProcess(self.library, Bounds(self.patience))
            child.begin()
            self._process.append(child)
        return self._process[0]


class _Output:
    """What the model prints while it is explored: it goes to our own streams, up to MOST_OUTPUT bytes of each."""

    def __init__(self) -> None:
        pipes = [os.pipe() for _ in range(2)]
        self.writers = (pipes[0][1], pipes[1][1])
        self._streams = [_Stream(pipes[0][0], sys.stdout), _Stream(pipes[1][0], sys.stderr)]

    def listen(self) -> None:
        """To be called when the child has the writing ends."""
        for writer in self.writers:
            os.close(writer)

    def pass_on(self) -> None:
        for stream in self._streams:
            stream.pass_on()

    def close(self) -> None:
        for stream in self._streams:
            stream.close()


class _Stream:
    def __init__(self, reader: int, to: TextIO) -> None:
        self._reader = reader
        self._to = to
        self._room = MOST_OUTPUT
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        os.set_blocking(reader, False)

    def pass_on(self) -> None:
        """What there is; a model that prints without end is left for another look at what it does."""
        with suppress(BlockingIOError):
            for _ in range(PORTIONS):
                text = os.read(self._reader, PORTION)
                if not text:
                    return
                self._write(text)

    def _write(self, text: bytes) -> None:
        if self._room > 0:
            self._to.write(self._decoder.decode(text[: self._room]))
            self._room -= len(text)
            if self._room <= 0:
                self._to.write(f"\n… (the model printed more than {MOST_OUTPUT >> 20} MiB: the rest is left out)\n")

    def close(self) -> None:
        self.pass_on()
        os.close(self._reader)


def _heeding(on_progress: OnProgress | None, output: _Output) -> process.Heed:
    def heed(progress: Any) -> bool:
        output.pass_on()
        return progress is None or on_progress is None or on_progress(progress)

    return heed
