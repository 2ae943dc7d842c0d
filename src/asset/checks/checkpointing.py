"""Checks that are kept on disk, so that one that was ended goes on: `--checkpoint` and `asset resume`.

A check makes searches one after the other: samples, reductions that are tried, what must be asked again. They are
always the same. The file has what those that have ended found, and the one at hand as the engine left it
(native/snapshot.h). A check that goes on does all that it did before, but for these searches.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from asset.checks.options import CheckOptions
from asset.checks.source_texts import texts_of
from asset.engine.outcome import Checkpoint, During, Finding, Limits, Outcome, Stop, Task
from asset.errors import UsageError
from asset.ir.program import Program
from asset.version import VERSION

MAGIC = b"ASSETCP1"  # native/snapshot.cpp

MOST_TOLD = 1 << 32
"""Bytes of the text in a file."""

EVERY = 300
"""Seconds from one checkpoint to the next, if that is not given."""

RESUMABLE = (Stop.INTERRUPTED, Stop.MAX_MEMORY)


@dataclass(frozen=True, slots=True)
class KeptCheck:
    """What a file says of a check: the command line and where it was given, what was checked, and how; and each search
    that was begun, of which all but the last have ended."""

    command: tuple[str, ...]
    folder: str
    version: str
    settings: Mapping[str, Any]
    model: Mapping[str, str]
    searches: tuple[str, ...]
    outcomes: tuple[Mapping[str, Any], ...]

    def to_json(self) -> bytes:
        return json.dumps({name: getattr(self, name) for name in self.__slots__}).encode()


def read(file: str) -> KeptCheck:
    """What the file says. UsageError if it cannot be read, or is no checkpoint."""
    try:
        with open(file, "rb") as stream:
            magic, size = stream.read(len(MAGIC)), stream.read(8)
            length = struct.unpack("<Q", size)[0] if len(size) == 8 else MOST_TOLD
            told = stream.read(length) if magic == MAGIC and length < MOST_TOLD else b""
    except OSError as error:
        raise UsageError.of(f"{file}: {error.strerror}") from None
    try:
        fields = json.loads(told)
        fields |= {name: tuple(fields[name]) for name in ("command", "searches", "outcomes")}
        return KeptCheck(**fields)
    except (ValueError, TypeError, KeyError):
        remedy = "it is written by `asset check MODEL --checkpoint FILE`"
        raise UsageError.of(f"{file} is not a checkpoint of this version of asset", remedy=remedy) from None


class Checkpointing:
    """The searches of one check."""

    def __init__(self, options: CheckOptions, program: Program) -> None:
        assert options.checkpoint is not None
        self._file = os.path.abspath(options.checkpoint)
        self._every = options.every or EVERY
        self._program = program
        self._resumed = read(self._file) if options.resume else None
        parameters = {name: str(value) for name, value in program.parameters}
        settings = json.loads(json.dumps(options.to_dict() | {"parameters": parameters}))
        model = {os.path.basename(name): _digest(text) for name, text in texts_of(program).items()}
        self._kept = KeptCheck(options.command, os.getcwd(), VERSION, settings, model, (), ())
        if self._resumed is None:
            _require_place(self._file)
        else:
            self._require_same(self._resumed)

    def explored(self, task: Task, limits: Limits, code: object, explore: Callable[[Limits], Outcome]) -> Outcome:
        """What the search finds, which is begun, goes on, or has ended. `code` says what else it depends on."""
        number = len(self._kept.searches)
        self._kept = replace(self._kept, searches=(*self._kept.searches, _described(task, limits, code)))
        known = self._resumed
        if known is not None and number < len(known.searches):
            self._require_same_search(known, number)
        if known is not None and number < len(known.outcomes):
            outcome = _outcome_from(known.outcomes[number], task, self._program)
        else:
            resume = known is not None and number == len(known.outcomes)
            checkpoint = Checkpoint(self._file, self._every, self._kept.to_json(), resume)
            outcome = explore(replace(limits, checkpoint=checkpoint))
        kept = _outcome_to(outcome, task, self._program)
        self._kept = replace(self._kept, outcomes=(*self._kept.outcomes, kept))
        return outcome

    def end(self, stop: Stop) -> bool:
        """The check has ended: its file is of no use any more, unless it can go on. Whether it can."""
        if stop in RESUMABLE:
            return os.path.exists(self._file)
        with suppress(OSError):
            os.unlink(self._file)
        return False

    def _require_same(self, kept: KeptCheck) -> None:
        now = self._kept
        if kept.version != now.version:
            raise self._differs(f"it was written by asset {kept.version}, and this is {now.version}")
        files = sorted(set(kept.model.items()) ^ set(now.model.items()))
        if files:
            raise self._differs(f"the model has changed since: {', '.join(dict(files))}")
        names = sorted(set(kept.settings) | set(now.settings))
        for name in names:
            before, after = kept.settings.get(name), now.settings.get(name)
            if before != after and name not in ("checkpoint", "every"):
                raise self._differs(f"{name} was {before}, and is {after}")

    def _require_same_search(self, kept: KeptCheck, number: int) -> None:
        if kept.searches[number] != self._kept.searches[number]:
            raise self._differs(
                "the search that it has is another: a file that the model uses, the parameters, or the reductions that "
                "were found have changed"
            )

    def _differs(self, how: str) -> UsageError:
        return UsageError.of(
            f"{self._file} cannot be resumed: {how}", remedy="remove it, and check the model from the beginning"
        )


def _require_place(file: str) -> None:
    if os.path.exists(file):
        raise UsageError.of(
            f"{file} exists: it may have a check that can go on",
            remedy=f"`asset resume {file}` goes on with it; or remove it, or give another file",
        )
    folder = os.path.dirname(file)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise UsageError.of(f"{file} cannot be written", remedy="give a file in a folder that can be written to")


def _described(task: Task, limits: Limits, code: object) -> str:
    """The same text for the same search."""
    reductions = task.reductions
    rules: object = None
    if reductions.derived is not None:
        from asset.engine.flat_rules import flatten

        rules = flatten(reductions.derived)
    group = None if reductions.group is None else (reductions.group.order, reductions.group.chooser.words)
    asked = [(type(each).__name__, each.name) for each in task.requirements]
    flags = [task.in_order, task.repair, task.on_the_fly, task.idle_steps, task.keep_going]
    flags += [reductions.hand_rules, reductions.symmetry]
    return _digest(repr((task.starts, asked, flags, rules, group, limits.max_states, limits.threads > 1, code)))


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_PLAIN = (
    "states",
    "edges",
    "enabled",
    "depth",
    "terminal_states",
    "levels",
    "explore_seconds",
    "memory_peak",
    "bytes_per_state",
    "threads",
    "nodes",
    "repair_seconds",
    "product",
)
"""The fields of an outcome that are numbers, or rows of them."""


def _outcome_to(outcome: Outcome, task: Task, program: Program) -> dict[str, Any]:
    findings = [_finding_to(each, task, program) for each in outcome.findings]
    return {name: getattr(outcome, name) for name in _PLAIN} | {"stop": outcome.stop.value, "findings": findings}


def _finding_to(finding: Finding, task: Task, program: Program) -> dict[str, Any]:
    known: Sequence[object] = [*program.predicates, *program.step_predicates]
    return {
        "requirement": None if finding.requirement is None else task.requirements.index(finding.requirement),
        "path": finding.path,
        "progress_lost_at": finding.progress_lost_at,
        "cycle_starts_at": finding.cycle_starts_at,
        "during": None if finding.during is None else finding.during.value,
        "predicate": None if finding.predicate is None else known.index(finding.predicate),
        "command": finding.command,
        "whole": finding.whole,
    }


def _outcome_from(kept: Mapping[str, Any], task: Task, program: Program) -> Outcome:
    fields: dict[str, Any] = {
        name: tuple(kept[name]) if isinstance(kept[name], list) else kept[name] for name in _PLAIN
    }
    findings = tuple(_finding_from(each, task, program) for each in kept["findings"])
    first = findings[0] if findings else None
    return Outcome(stop=Stop(kept["stop"]), finding=first, further=findings[1:], **fields)


def _finding_from(found: Mapping[str, Any], task: Task, program: Program) -> Finding:
    known = [*program.predicates, *program.step_predicates]
    return Finding(
        requirement=None if found["requirement"] is None else task.requirements[found["requirement"]],
        path=tuple((command, tuple(state)) for command, state in found["path"]),
        progress_lost_at=found["progress_lost_at"],
        cycle_starts_at=found["cycle_starts_at"],
        during=None if found["during"] is None else During(found["during"]),
        predicate=None if found["predicate"] is None else known[found["predicate"]],
        command=found["command"],
        whole=found["whole"],
    )
