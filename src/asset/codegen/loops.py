"""Loops over `range(start, stop, step)`, whose counters never overflow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from asset.codegen.arithmetic import Operand
from asset.codegen.builder import Builder
from asset.ir.faults import INT_MAX, INT_MIN


class LoopLabels(NamedTuple):
    """Where a round ends, and where the loop ends."""

    next: str
    done: str


class Bounds(NamedTuple):
    """The parts of a range, evaluated; the step is not 0."""

    start: Operand
    stop: Operand
    step: Operand

    @property
    def known_step(self) -> int | None:
        lo, hi = self.step.interval
        return lo if lo == hi else None

    @property
    def cannot_overflow(self) -> bool:
        """Whether the first value past the end fits 64 bits."""
        match self.known_step:
            case None:
                return False
            case 1 | -1:
                return True
            case step:
                return self.stop.interval.hi + step <= INT_MAX and self.stop.interval.lo + step >= INT_MIN


class _Counting(NamedTuple):
    """A counter goes from `first` by `step` while it compares so with `limit`."""

    first: str
    step: str
    predicate: str
    limit: str


def range_loop(b: Builder, bounds: Bounds, slot: str, body: Callable[[LoopLabels], None]) -> None:
    """Writes a loop that runs the body with the slot set to each value of the range."""
    direct = bounds.cannot_overflow
    counting = _by_value(bounds) if direct else _by_round(b, bounds)
    head, inside = b.name("head"), b.name("body")
    labels = LoopLabels(b.name("next"), b.name("done"))
    counter = b.slot()
    b.store(counting.first, counter)
    b.begin(head)
    at = b.load(counter)
    b.fork(b.let(f"icmp {counting.predicate} i64 {at}, {counting.limit}"), inside, labels.done)
    b.begin(inside)
    b.store(at if direct else _value_in_round(b, bounds, at), slot)
    body(labels)
    b.begin(labels.next)
    b.store(b.let(f"add i64 {b.load(counter)}, {counting.step}"), counter)
    b.jump(head)
    b.begin(labels.done)


def _by_value(bounds: Bounds) -> _Counting:
    predicate = "slt" if bounds.step.interval.lo > 0 else "sgt"
    return _Counting(bounds.start.text, bounds.step.text, predicate, bounds.stop.text)


def _by_round(b: Builder, bounds: Bounds) -> _Counting:
    """Counts the rounds: there are less than 2**64, whatever the bounds, and unsigned numbers go that far."""
    start, stop, step = bounds.start.text, bounds.stop.text, bounds.step.text
    up = b.let(f"icmp sgt i64 {step}, 0")
    low = b.let(f"select i1 {up}, i64 {start}, i64 {stop}")
    high = b.let(f"select i1 {up}, i64 {stop}, i64 {start}")
    size = b.let(f"select i1 {up}, i64 {step}, i64 {b.let(f'sub i64 0, {step}')}")
    last = b.let(f"sub i64 {b.let(f'sub i64 {high}, {low}')}, 1")
    rounds = b.let(f"add i64 {b.let(f'udiv i64 {last}, {size}')}, 1")
    some = b.let(f"icmp slt i64 {low}, {high}")
    return _Counting("0", "1", "ult", b.let(f"select i1 {some}, i64 {rounds}, i64 0"))


def _value_in_round(b: Builder, bounds: Bounds, number: str) -> str:
    return b.let(f"add i64 {bounds.start.text}, {b.let(f'mul i64 {number}, {bounds.step.text}')}")
