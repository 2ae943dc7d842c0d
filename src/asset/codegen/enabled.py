"""Which commands are enabled in each state, for random runs, which fire only one of them (native/walker.h).

What a command would do is compiled too, as it may be a model error; what it would write is not used, and LLVM leaves
that out.
"""

from __future__ import annotations

from collections.abc import Sequence

from asset.codegen.calls import family_indices
from asset.codegen.expressions import DISABLED, DONE
from asset.codegen.successors import Successors
from asset.codegen.unit import Unit
from asset.ir.program import Family

NAME = "enabled"

MOST = 64
"""Commands: a bit of a word for each. Of many commands, tables find those that are worth trying; here all are tried."""


def tells_enabled(unit: Unit) -> bool:
    """Whether it is worth it: in a large program commands are functions that are called, and so do all that they do."""
    return unit.names_commands and not unit.facts and not unit.large and 0 < unit.program.nr_commands <= MOST


class Enabled(Successors):
    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.bits = self.b.slot()
        self.unused = self.b.slot(f"[{unit.layout.words} x i64]")

    def text(self) -> str:
        b = self.b
        b.store("0", self.command)
        b.store("0", self.status, "i32")
        self.for_each_state(self._tell)
        b.end("ret void")
        b.begin("faulty")
        self.report(b.load(self.command), b.load(self.status, "i32"))
        b.end("ret void")
        return (
            f"define void @{NAME}(ptr noalias readonly %states, i64 %count, ptr noalias %out, ptr noalias %fault) #0"
            f" {{\n{b.text()}\n}}\n"
        )

    def _tell(self) -> None:
        b = self.b
        b.store("0", self.bits)
        self.fire_all(self.unit.families)
        b.store(b.load(self.bits), b.element("%out", b.load(self.number)))

    def call(self, number: int, family: Family, positions: Sequence[str]) -> None:
        b, unit, kind = self.b, self.unit, self.unit.result_type(family.function)
        words = [f"i64 {word}" for word in self.words]
        state = words if unit.in_registers else [f"ptr {self.state}", f"ptr {self.unused}"]
        args = [f"i64 {index}" for index in family_indices(b, unit, family, positions)]
        result = b.let(f"call {kind} @command{number}({', '.join([*state, *args])})")
        self.note(family, kind, result)

    def take(self) -> None:
        b = self.b
        status = b.load(self.status, "i32")
        b.leave_if(b.let(f"icmp slt i32 {status}, {DISABLED}"), "faulty")
        fired = b.let(f"zext i1 {b.let(f'icmp eq i32 {status}, {DONE}')} to i64")
        bit = b.let(f"shl i64 {fired}, {b.load(self.command)}")
        b.store(b.let(f"or i64 {b.load(self.bits)}, {bit}"), self.bits)
