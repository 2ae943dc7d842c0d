"""The child process in which a library runs: it loads the library, and does what it is asked until nobody asks.

Requests come on standard input, answers go to a pipe of their own; both are pickled tuples. Standard output is the
model's. What the model is doing at the moment is in memory that the parent sees, so that it can tell where the model
was when this process ended.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import select
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from asset.engine import frames
from asset.engine.outcome import Limits, Outcome, Progress, Sampling, Task
from asset.ir.requirements import Predicate, StepPredicate
from asset.orphans import end_with_parent

SAID = 1024
"""Bytes for what a model says of what is wrong (asset.h)."""

MOST_PRINTED = 1 << 20
"""Bytes that print_state may print."""


class CallFailed(Exception):
    """A model error; its code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Code:
    """The library, loaded."""

    def __init__(self, path: str, words: int, activity: int) -> None:
        self._words = words
        self._library = ctypes.CDLL(path)
        self._library.asset_table.restype = ctypes.c_void_p
        self._library.asset_oblige.restype = ctypes.c_int64
        self._memory = mmap.mmap(activity, 0)
        self._library.asset_observe(ctypes.byref(ctypes.c_char.from_buffer(self._memory)))

    @property
    def address(self) -> int:
        """Of the struct asset_model."""
        return int(self._library.asset_table())

    def begin(self) -> None:
        """nr_transitions() has run, and has initialised the model."""
        self._library.asset_begin()

    def add_trap(self, what: int, number: int, code: int, words: Sequence[int]) -> bool:
        """Afterwards this call is not made, but is a model error; False if there are too many of them."""
        return bool(self._library.asset_add_trap(what, number, code, self._state(words)))

    def said(self) -> str:
        """What was said of what went wrong since this was asked last."""
        room = ctypes.create_string_buffer(SAID)
        self._library.asset_said(room, ctypes.c_uint64(SAID))
        return room.value.decode("utf-8", "replace")

    def fire(self, words: Sequence[int], command: int) -> tuple[int, ...] | None:
        state = self._state(words)
        return tuple(state) if _checked(self._library.asset_fire(state, command)) else None

    def evaluate(self, words: Sequence[int], predicate: int) -> bool:
        return bool(_checked(self._library.asset_evaluate(self._state(words), predicate)))

    def oblige(self, words: Sequence[int], command: int) -> tuple[int, ...]:
        state, count = self._state(words), 0
        room = 64
        while True:
            out = (ctypes.c_uint32 * room)()
            count = _checked(self._library.asset_oblige(state, command, out, ctypes.c_uint64(room)))
            if count <= room:
                return tuple(out[:count])
            room = count

    def represent(self, words: Sequence[int]) -> tuple[int, ...]:
        state = self._state(words)
        _checked(self._library.asset_represent(state))
        return tuple(state)

    def print(self, words: Sequence[int]) -> str:
        """What print_state prints, by whatever means, up to MOST_PRINTED bytes: what would be after them is lost."""
        with tempfile.TemporaryFile() as file, _small_files():
            usual = os.dup(1)
            os.dup2(file.fileno(), 1)
            try:
                result = self._library.asset_print(self._state(words))
            finally:
                os.dup2(usual, 1)
                os.close(usual)
            _checked(result)
            file.seek(0)
            return file.read().decode("utf-8", "replace")

    def as_it_is(self, words: Sequence[int]) -> tuple[int, ...]:
        """States cross the border of the process as words: the parent knows what they mean."""
        return tuple(words)

    def each_as_it_is(self, words: Sequence[int]) -> list[tuple[int, ...]]:
        return [tuple(words[at : at + self._words]) for at in range(0, len(words), self._words)]

    def _state(self, words: Sequence[int]) -> ctypes.Array[ctypes.c_uint64]:
        return (ctypes.c_uint64 * self._words)(*words)


class Machine:
    """A library as the native engine wants it."""

    def __init__(
        self, code: Code, predicates: tuple[Predicate, ...], places: Sequence[tuple[int, int, int]] = ()
    ) -> None:
        self.predicates = predicates
        self.step_predicates: tuple[StepPredicate, ...] = ()  # there are no formulas
        self.address = code.address
        self.pack, self.unpack_run = code.as_it_is, code.each_as_it_is
        self.places = places
        self.sizes = [1 << width for _, _, width in places]
        self.flat_facts: tuple[list[int], bytes, list[int]] = ([], b"", [])  # there are no derived rules

    def entry(self, _name: str) -> int:
        """All functions are in the table."""
        return 0

    def touched_bits(self) -> tuple[int, ...]:
        """Nothing is known of them."""
        return ()

    def better(self) -> None:
        """There is no better code."""

    def improve_for_later(self) -> None:
        """There will be none."""


@contextmanager
def _small_files() -> Iterator[None]:
    """Writing to a file fails, inside, if it would make it larger than MOST_PRINTED. (Python ignores the signal.)"""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_PRINTED, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def _checked(result: int) -> int:
    if result < 0:
        raise CallFailed(-result)
    return result


class Server:
    def __init__(self, code: Code, requests: int, replies: int) -> None:
        self._code = code
        self._requests = requests
        self._replies = replies

    def serve(self) -> None:
        """Until the parent closes its end."""
        self._send("result", None, "")
        while True:
            try:
                name, *arguments = frames.receive(self._requests)
            except EOFError:
                return
            self._answer(name, arguments)

    def _answer(self, name: str, arguments: list[Any]) -> None:
        functions: dict[str, Callable[..., object]] = {
            "begin": self._code.begin,
            "trap": self._code.add_trap,
            "fire": self._code.fire,
            "evaluate": self._code.evaluate,
            "oblige": self._code.oblige,
            "represent": self._code.represent,
            "print": self._code.print,
            "explore": self._explore,
            "simulate": self._simulate,
        }
        try:
            result = functions[name](*arguments)
        except CallFailed as failed:
            self._send("fault", failed.code, self._code.said())
        except Exception as error:
            self._send("error", str(error))
        else:
            self._send("result", result, self._code.said())

    def _explore(self, task: Task, limits: Limits, predicates: tuple[Predicate, ...]) -> Outcome:
        from asset.engine import native  # here, as only exploring needs it

        return native.explore(Machine(self._code, predicates), task, limits, self._observe)

    def _simulate(
        self,
        task: Task,
        sampling: Sampling,
        threads: int,
        predicates: tuple[Predicate, ...],
        places: Sequence[tuple[int, int, int]],
    ) -> Outcome:
        from asset.engine import native  # here, as only exploring needs it

        return native.simulate(Machine(self._code, predicates, places), task, sampling, threads, self._observe)

    def _observe(self, progress: Progress) -> bool:
        """Whether to go on: not if the parent says something, which means to stop, or is gone."""
        self._send("progress", progress)
        return not select.select([self._requests], [], [], 0)[0]

    def _send(self, *message: object) -> None:
        frames.send(self._replies, *message)


def main() -> None:
    path, words, activity, replies = sys.argv[1:]
    for request in (signal.SIGINT, signal.SIGTERM):  # they are for the parent, which says what is to be done
        signal.signal(request, signal.SIG_IGN)
    end_with_parent(sys.stdin.fileno())
    try:
        code = Code(path, int(words), int(activity))
    except OSError as error:
        frames.send(int(replies), "error", str(error))
    else:
        Server(code, sys.stdin.fileno(), int(replies)).serve()


if __name__ == "__main__":
    main()
