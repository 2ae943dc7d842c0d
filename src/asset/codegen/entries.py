"""The functions of the table that the engine calls (native/abi.h)."""

from __future__ import annotations

from collections.abc import Sequence

from asset.codegen.abi import has_rules
from asset.codegen.batches import Entry
from asset.codegen.builder import Builder
from asset.codegen.calls import family_indices, load_words, result_words, store_words
from asset.codegen.cell_access import copy_words
from asset.codegen.dispatch import Fire, ObligationsEntry
from asset.codegen.expressions import DISABLED, DONE
from asset.codegen.fact_bits import FactBits
from asset.codegen.unit import Unit
from asset.ir.program import Family
from asset.ir.requirements import Predicate

_WORD = 64


def write_entries(unit: Unit) -> list[str]:
    """All entries that the table has: not those of which the program has nothing."""
    program = unit.program
    entries = [*_parts(unit), _Successors(unit).text(), Fire(unit).text()]
    if program.predicates:
        entries.append(_Predicates(unit).text())
    if program.step_predicates:
        from asset.codegen.step_predicates import HoldsOfStep  # here, as few models need it

        entries.append(HoldsOfStep(unit).text())
    if has_rules(program):
        entries.append(ObligationsEntry(unit).text())
    if unit.group is not None:
        from asset.codegen.group_representatives import GroupRepresentatives  # here, as few models need it

        entries.append(GroupRepresentatives(unit, unit.group).text())
        if unit.group.meanings:
            from asset.codegen.following import HoldsInMeaning, Steps

            entries += [Steps(unit, unit.group).text(), HoldsInMeaning(unit, unit.group).text()]
    elif program.representative is not None:
        entries.append(_HandRepresentatives(unit, program.representative).text())
    if unit.facts:
        entries.append(FactBits(unit, unit.facts).text())
    return entries


class _Successors(Entry):
    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.out = self.b.slot("ptr")  # where the next successor goes
        self.first = self.b.slot("ptr")  # where the first successor of this state went
        self.named = self.b.slot("ptr")  # where the command of the next successor goes
        self.command = self.b.slot()
        self.status = self.b.slot("i32")

    def text(self) -> str:
        b, names = self.b, self.unit.names_commands
        b.store("%out", self.out, "ptr")
        if names:
            b.store("%commands", self.named, "ptr")
        b.store("0", self.command)
        b.store("0", self.status, "i32")
        self.for_each_state(self._state)
        b.end(f"ret i64 {self._count_from('%out')}")
        b.begin("faulty")
        self.report(b.load(self.command), b.load(self.status, "i32"))
        self._write_count()
        b.end(f"ret i64 {self._count_from('%out')}")
        name, commands = ("named_successors", " ptr noalias %commands,") if names else ("successors", "")
        return (
            f"define i64 @{name}(ptr noalias readonly %states, i64 %count, ptr noalias %out, ptr noalias %counts,"
            f"{commands} ptr noalias %fault) #0 {{\n{b.text()}\n}}\n"
        )

    def _state(self) -> None:
        self.b.store(self.b.load(self.out, "ptr"), self.first, "ptr")
        if self.unit.large:
            self._call_parts()
        else:
            self.fire_all(self.unit.families)
        self._write_count()

    def fire_all(self, families: Sequence[tuple[int, Family]]) -> None:
        """All commands of the families, the last one first."""
        for number, family in reversed(families):
            self._loops(number, family, [])

    def _call_parts(self) -> None:
        """The commands of a large program, some families after the other."""
        b, slots = self.b, (self.state, self.out, self.named, self.command, self.status)
        for part in reversed(range(len(_split(self.unit)))):
            faulty = b.let(f"call i1 @part{part}({', '.join(f'ptr {slot}' for slot in slots)})")
            b.leave_if(faulty, "faulty")

    def _write_count(self) -> None:
        """How many successors this state has so far."""
        b = self.b
        count = b.let(f"trunc i64 {self._count_from(b.load(self.first, 'ptr'))} to i32")
        b.store(count, b.element("%counts", b.load(self.number), "i32"), "i32")

    def _count_from(self, start: str) -> str:
        b = self.b
        begin, end = (b.let(f"ptrtoint ptr {p} to i64") for p in (start, b.load(self.out, "ptr")))
        return b.let(f"udiv exact i64 {b.let(f'sub i64 {end}, {begin}')}, {8 * self.unit.layout.words}")

    def _loops(self, number: int, family: Family, positions: list[str]) -> None:
        """Commands of the family, last first: a loop for each index without a position, the first outermost."""
        if len(positions) == len(family.ranges):
            self._command(number, family, positions)
            return
        b, size = self.b, len(family.ranges[len(positions)])
        if size == 1:
            self._loops(number, family, [*positions, "0"])
            return
        counter, head = b.slot(), b.name("head")
        b.store(str(size), counter)
        b.begin(head)
        position = b.let(f"sub i64 {b.load(counter)}, 1")
        b.store(position, counter)
        self._loops(number, family, [*positions, position])
        b.fork(b.let(f"icmp ne i64 {b.load(counter)}, 0"), head, done := b.name("done"))
        b.begin(done)

    def _command(self, number: int, family: Family, positions: Sequence[str]) -> None:
        b, unit, kind = self.b, self.unit, self.unit.result_type(family.function)
        out = b.load(self.out, "ptr")
        state = [f"i64 {word}" for word in self.words] if unit.in_registers else [f"ptr {self.state}", f"ptr {out}"]
        args = [f"i64 {index}" for index in family_indices(b, unit, family, positions)]
        result = b.let(f"call {kind} @command{number}({', '.join([*state, *args])})")
        status = b.let(f"extractvalue {kind} {result}, 0")
        b.store(status, self.status, "i32")
        b.store(_command_number(b, family, positions), self.command)
        b.leave_if(b.let(f"icmp slt i32 {status}, {DISABLED}"), "faulty")
        # Written even if it is disabled, and then overwritten: whether a command is enabled cannot be foreseen, so a
        # branch on it would often be mispredicted.
        if unit.in_registers:
            store_words(b, result_words(b, unit, family.function, result) or self.words, out)
        fired = b.let(f"icmp eq i32 {status}, {DONE}")
        b.store(b.let(f"select i1 {fired}, ptr {b.element(out, unit.layout.words)}, ptr {out}"), self.out, "ptr")
        if unit.names_commands:
            self._name_command(fired)

    def _name_command(self, fired: str) -> None:
        """Written even if it is disabled, as the state is."""
        b, named = self.b, self.b.load(self.named, "ptr")
        b.store(b.let(f"trunc i64 {b.load(self.command)} to i32"), named, "i32")
        b.store(b.let(f"select i1 {fired}, ptr {b.element(named, 1, 'i32')}, ptr {named}"), self.named, "ptr")


# Families in one function of a large program.
PART = 32


def _split(unit: Unit) -> list[list[tuple[int, Family]]]:
    return [unit.families[first : first + PART] for first in range(0, len(unit.families), PART)]


def _parts(unit: Unit) -> list[str]:
    """The functions that the successors of a large program are divided into."""
    return [_Part(unit).part(number, families) for number, families in enumerate(_split(unit))] if unit.large else []


class _Part(_Successors):
    """Some families of a large program; the variables are those of the function that calls it. Whether it failed."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.state, self.out, self.named, self.command, self.status = _VARIABLES

    def part(self, number: int, families: Sequence[tuple[int, Family]]) -> str:
        b = self.b
        if self.unit.in_registers:
            self.words = load_words(b, self.unit, self.state)
        self.fire_all(families)
        b.end("ret i1 false")
        b.begin("faulty")
        b.end("ret i1 true")
        parameters = ", ".join(f"ptr noalias {variable}" for variable in _VARIABLES)
        return f"define private i1 @part{number}({parameters}) #0 noinline {{\n{b.text()}\n}}\n"


_VARIABLES = ("%state", "%out", "%named", "%command", "%status")


def _command_number(b: Builder, family: Family, positions: Sequence[str]) -> str:
    number = "0"
    for values, position in zip(family.ranges, positions, strict=True):
        number = b.let(f"add i64 {b.let(f'mul i64 {number}, {len(values)}')}, {position}")
    return b.let(f"add i64 {number}, {family.first}")


class _Predicates(Entry):
    """Evaluates the predicates that are wanted, one after the other, in each state."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.size = -(-len(unit.program.predicates) // _WORD)
        self.status = self.b.slot("i32")
        self.predicate = self.b.slot()
        self.bits = [self.b.slot() for _ in range(self.size)]
        self.scratch = self.b.slot(f"[{unit.layout.words} x i64]")
        self.wanted: list[str] = []

    def text(self) -> str:
        b = self.b
        self.wanted = [b.load(b.element("%wanted", word)) for word in range(self.size)]
        self.for_each_state(self._state)
        b.end("ret void")
        b.begin("faulty")
        self.report(b.load(self.predicate), b.load(self.status, "i32"))
        self._store_bits()
        b.end("ret void")
        return (
            "define void @predicates(ptr noalias readonly %states, i64 %count, ptr noalias readonly %wanted,"
            f" ptr noalias %out, ptr noalias %fault) #0 {{\n{b.text()}\n}}\n"
        )

    def _state(self) -> None:
        for bits in self.bits:
            self.b.store("0", bits)
        for number, predicate in enumerate(self.unit.program.predicates):
            self._if_wanted(number, predicate)
        self._store_bits()

    def _store_bits(self) -> None:
        b = self.b
        out = b.element("%out", b.let(f"mul i64 {b.load(self.number)}, {self.size}"))
        for word, bits in enumerate(self.bits):
            b.store(b.load(bits), b.element(out, word))

    def _if_wanted(self, number: int, predicate: Predicate) -> None:
        b, wanted, done = self.b, self.b.name("wanted"), self.b.name("done")
        bit = b.let(f"and i64 {self.wanted[number // _WORD]}, {_bit(number)}")
        b.fork(b.let(f"icmp ne i64 {bit}, 0"), wanted, done)
        b.begin(wanted)
        self._evaluate(number, predicate)
        b.begin(done)

    def _evaluate(self, number: int, predicate: Predicate) -> None:
        b, kind = self.b, self.unit.result_type(predicate.function)
        arguments = ", ".join([*self._state_arguments(predicate), *self.unit.work_argument(predicate.function)])
        result = b.let(f"call {kind} @function{predicate.function}({arguments})")
        status = b.let(f"extractvalue {kind} {result}, 0")
        b.store(status, self.status, "i32")
        b.store(str(number), self.predicate)
        b.leave_if(b.let(f"icmp slt i32 {status}, {DISABLED}"), "faulty")
        compared = "eq" if predicate.messages else "ne"
        holds = b.let(f"icmp {compared} i64 {b.let(f'extractvalue {kind} {result}, 1')}, 0")
        bits = self.bits[number // _WORD]
        bit = b.let(f"select i1 {holds}, i64 {_bit(number)}, i64 0")
        b.store(b.let(f"or i64 {b.load(bits)}, {bit}"), bits)

    def _state_arguments(self, predicate: Predicate) -> list[str]:
        """The state; a copy of it if the predicate's function may change it."""
        if self.unit.in_registers:
            return [f"i64 {word}" for word in self.words]
        if predicate.function not in self.unit.writers:
            return [f"ptr {self.state}"]
        copy_words(self.b, self.unit.layout.words, self.state, self.scratch)
        return [f"ptr {self.scratch}"]


def _bit(number: int) -> int:
    """The predicate's bit in its word, as LLVM writes it: a signed number."""
    bit = 1 << number % _WORD
    return bit if bit < 1 << 63 else bit - (1 << 64)


class _HandRepresentatives(Entry):
    def __init__(self, unit: Unit, function: int) -> None:
        super().__init__(unit)
        self.function = function
        self.status = self.b.slot("i32")

    def text(self) -> str:
        b = self.b
        self.for_each_state(self._state)
        b.end("ret void")
        b.begin("faulty")
        self.report("0", b.load(self.status, "i32"))
        b.end("ret void")
        return (
            f"define void @representatives(ptr noalias %states, i64 %count, ptr noalias %fault) #0 {{\n{b.text()}\n}}\n"
        )

    def _state(self) -> None:
        b, unit, kind = self.b, self.unit, self.unit.result_type(self.function)
        args = [f"i64 {word}" for word in self.words] if unit.in_registers else [f"ptr {self.state}"]
        args += unit.work_argument(self.function)
        result = b.let(f"call {kind} @function{self.function}({', '.join(args)})")
        status = b.let(f"extractvalue {kind} {result}, 0")
        b.store(status, self.status, "i32")
        b.leave_if(b.let(f"icmp slt i32 {status}, {DISABLED}"), "faulty")
        if unit.in_registers:
            store_words(b, result_words(b, unit, self.function, result), self.state)
