"""The functions of the table that do something with one command, given by its number."""

from __future__ import annotations

from abc import ABC, abstractmethod

from asset.codegen.builder import Builder
from asset.codegen.calls import family_indices, result_words, state_arguments, store_words
from asset.codegen.cell_access import copy_words
from asset.codegen.expressions import DISABLED, DONE
from asset.codegen.rules import PARAMETERS
from asset.codegen.unit import Unit
from asset.ir.program import Family


class _ByCommand(ABC):
    """An entry that finds the family of `%command` and its indices."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.b = Builder()

    @abstractmethod
    def family(self, number: int, family: Family) -> None:
        """Writes what is done with a command of the family, to the end of the function."""

    def choose(self, families: list[tuple[int, Family]]) -> None:
        """Finds the family of the command by bisection."""
        if len(families) == 1:
            self.family(*families[0])
            return
        b, middle = self.b, len(families) // 2
        low, high = b.name("low"), b.name("high")
        b.fork(b.let(f"icmp ult i32 %command, {families[middle][1].first}"), low, high)
        for label, half in ((low, families[:middle]), (high, families[middle:])):
            b.begin(label)
            self.choose(half)

    def indices(self, family: Family) -> list[str]:
        """The command's indices as arguments."""
        positions = positions_of(self.b, family, "%command")
        return [f"i64 {index}" for index in family_indices(self.b, self.unit, family, positions)]


def positions_of(b: Builder, family: Family, command: str) -> list[str]:
    """Where each index of the command is in its range. The last index is the fastest; what is left when all others
    are found is the position of the first, so that a family of one index needs no division."""
    varying = [k for k, values in enumerate(family.ranges) if len(values) > 1]
    positions = ["0"] * len(family.ranges)
    if not varying:
        return positions
    rest = b.let(f"sub i32 {command}, {family.first}")
    for k in reversed(varying):
        position = rest
        if k != varying[0]:
            position = b.let(f"urem i32 {rest}, {len(family.ranges[k])}")
            rest = b.let(f"udiv i32 {rest}, {len(family.ranges[k])}")
        positions[k] = b.let(f"zext i32 {position} to i64")
    return positions


class Fire(_ByCommand):
    """Fires one command in place."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.work = self.b.slot(f"[{unit.layout.words} x i64]")

    def text(self) -> str:
        families = self.unit.families
        if families:
            self.choose(families)
        else:
            self.b.end(f"ret i32 {DISABLED}")
        return f"define i32 @fire(ptr noalias %state, i32 %command) #0 {{\n{self.b.text()}\n}}\n"

    def family(self, number: int, family: Family) -> None:
        b, unit, kind = self.b, self.unit, self.unit.result_type(family.function)
        work = [] if unit.in_registers else [f"ptr {self.work}"]
        args = [*state_arguments(b, unit, "%state"), *work, *self.indices(family)]
        # The body is inlined where all commands are fired; once more would cost compile time and gain little.
        result = b.let(f"call {kind} @command{number}({', '.join(args)}) noinline")
        status = b.let(f"extractvalue {kind} {result}, 0")
        fired, done = b.name("fired"), b.name("done")
        b.fork(b.let(f"icmp eq i32 {status}, {DONE}"), fired, done)
        b.begin(fired)
        if unit.in_registers:
            store_words(b, result_words(b, unit, family.function, result), "%state")
        else:
            copy_words(b, unit.layout.words, self.work, "%state")
        b.begin(done)
        b.end(f"ret i32 {status}")


class ObligationsEntry(_ByCommand):
    """Lists the commands that must be in a stubborn set if a given one is."""

    def text(self) -> str:
        self.choose(self.unit.families)
        return (
            f"define i64 @obligations(ptr noalias readonly %state, i32 %command, {PARAMETERS}) #0 {{\n"
            f"{self.b.text()}\n}}\n"
        )

    def family(self, number: int, family: Family) -> None:
        b = self.b
        if family.rule is None:
            b.end(f"ret i64 {b.let('call i64 @list_all(ptr %out, i64 %capacity, i64 0)')}")
            return
        kind = self.unit.result_type(family.rule)
        args = [*state_arguments(b, self.unit, "%state"), *self.indices(family), "ptr %out", "i64 %capacity"]
        result = b.let(f"call {kind} @rule{number}({', '.join(args)})")
        status, count = (b.let(f"extractvalue {kind} {result}, {part}") for part in (0, 1))
        faulty = b.let(f"icmp slt i32 {status}, {DISABLED}")
        code = b.let(f"sext i32 {status} to i64")
        b.end(f"ret i64 {b.let(f'select i1 {faulty}, i64 {code}, i64 {count}')}")
