"""The functions of the table that the engine calls (native/abi.h)."""

from __future__ import annotations

from asset.codegen.abi import has_rules
from asset.codegen.batches import Entry
from asset.codegen.calls import result_words, store_words
from asset.codegen.cell_access import copy_words
from asset.codegen.dispatch import Fire, ObligationsEntry
from asset.codegen.enabled import Enabled, tells_enabled
from asset.codegen.expressions import DISABLED
from asset.codegen.fact_bits import fact_functions
from asset.codegen.successors import write_successors
from asset.codegen.unit import Unit
from asset.ir.requirements import Predicate

_WORD = 64

PREDICATES = "predicates"


def write_entries(unit: Unit) -> list[str]:
    """All entries that the table has: not those of which the program has nothing."""
    program = unit.program
    entries = [*write_successors(unit), Fire(unit).text()]
    if tells_enabled(unit):
        entries.append(Enabled(unit).text())
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
        entries += fact_functions(unit, unit.facts)
    return entries


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
            f"define void @{PREDICATES}(ptr noalias readonly %states, i64 %count, ptr noalias readonly %wanted,"
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
