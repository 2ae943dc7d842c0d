"""What the functions of the table have in common that go through a batch of states."""

from __future__ import annotations

from collections.abc import Callable

from asset.codegen.builder import Builder
from asset.codegen.calls import load_words
from asset.codegen.unit import Unit

_FAULT = "{i64, i32, i32}"  # struct asset_fault


class Entry:
    """An entry that goes through the states of a batch."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.b = Builder()
        self.number = self.b.slot()
        self.state = ""
        self.words: list[str] = []

    def for_each_state(self, body: Callable[[], None]) -> None:
        b = self.b
        b.store("0", self.number)
        b.begin("each_state")
        number = b.load(self.number)
        b.fork(b.let(f"icmp ult i64 {number}, %count"), "one_state", "end")
        b.begin("one_state")
        self.state = b.element("%states", number, f"[{self.unit.layout.words} x i64]")
        if self.unit.in_registers:
            self.words = load_words(b, self.unit, self.state)
        body()
        b.store(b.let(f"add i64 {b.load(self.number)}, 1"), self.number)
        b.jump("each_state")
        b.begin("end")

    def report(self, number: str, status: str) -> None:
        """Fills in how a fault occurred, and in which state and command or predicate."""
        b = self.b
        b.store(b.load(self.number), "%fault")
        code = b.let(f"sub i32 0, {status}")
        for field, value in ((1, b.let(f"trunc i64 {number} to i32")), (2, code)):
            b.store(value, b.let(f"getelementptr inbounds {_FAULT}, ptr %fault, i64 0, i32 {field}"), "i32")
