"""The successors of states (native/abi.h, successors and named_successors).

Commands are fired in decreasing order of their numbers. If tables say which of them are worth trying, only those are
fired, in the same order; else all are, family by family, in loops over their indices.
"""

from __future__ import annotations

from collections.abc import Sequence

from asset.codegen.batches import Entry
from asset.codegen.builder import Builder, least_type
from asset.codegen.calls import family_indices, load_words, result_words, store_words
from asset.codegen.candidates import WORD, Candidates
from asset.codegen.cell_access import number_at
from asset.codegen.dispatch import positions_of
from asset.codegen.expressions import DISABLED, DONE
from asset.codegen.finding import Finding
from asset.codegen.probes import family_entry
from asset.codegen.unit import Unit
from asset.ir.program import Family

SUCCESSORS, NAMED_SUCCESSORS = "successors", "named_successors"

CANDIDATES = "candidates"
"""The name of the function that finds the commands to try, in a large program."""


def write_successors(unit: Unit) -> list[str]:
    """The entry, and the functions that it is divided into. If commands are counted, also an entry for each family."""
    families = [_OneFamily(unit, *each).text() for each in unit.families] if unit.probes.counts else []
    if unit.candidates is not None:
        finding = [_Selected(unit, unit.candidates).finding()] if unit.large else []
        return [*families, *finding, _Selected(unit, unit.candidates).text()]
    return [*families, *_parts(unit), Successors(unit).text()]


class Successors(Entry):
    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.out = self.b.slot("ptr")  # where the next successor goes
        self.first = self.b.slot("ptr")  # where the first successor of this state went
        self.named = self.b.slot("ptr")  # where the command of the next successor goes
        self.command = self.b.slot()
        self.status = self.b.slot("i32")
        self.skipped = self.b.slot()  # how many commands before a disabled one need not be tried
        self.name = NAMED_SUCCESSORS if unit.names_commands else SUCCESSORS
        self.counts = unit.probes.counts

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
        commands = " ptr noalias %commands," if names else ""
        return (
            f"define i64 @{self.name}(ptr noalias readonly %states, i64 %count, ptr noalias %out, ptr noalias %counts,"
            f"{commands} ptr noalias %fault) #0 {{\n{b.text()}\n}}\n"
        )

    def _state(self) -> None:
        self.b.store(self.b.load(self.out, "ptr"), self.first, "ptr")
        self.fire()
        self._write_count()

    def fire(self) -> None:
        """Writes the code that fires the commands in one state."""
        if self.unit.large:
            self._call_parts()
        else:
            self.fire_all(self.unit.families)

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
        if family.skips is not None and len(positions) + 1 == len(family.ranges):
            b.store(b.let(f"sub i64 {position}, {b.load(self.skipped)}"), counter)
        b.fork(b.let(f"icmp ne i64 {b.load(counter)}, 0"), head, done := b.name("done"))
        b.begin(done)

    def _command(self, number: int, family: Family, positions: Sequence[str]) -> None:
        self.call(number, family, positions)
        self.b.store(_command_number(self.b, family, positions), self.command)
        self.take()

    def call(self, number: int, family: Family, positions: Sequence[str]) -> None:
        """Fires a command. The state is written even if it is disabled, and then overwritten: whether a command is
        enabled cannot be foreseen, so a branch on it would often be mispredicted."""
        b, unit, kind = self.b, self.unit, self.unit.result_type(family.function)
        out = b.load(self.out, "ptr")
        state = [f"i64 {word}" for word in self.words] if unit.in_registers else [f"ptr {self.state}", f"ptr {out}"]
        args = [f"i64 {index}" for index in family_indices(b, unit, family, positions)]
        result = b.let(f"call {kind} @command{number}({', '.join([*state, *args])})")
        self.note(family, kind, result)
        if unit.in_registers:
            store_words(b, result_words(b, unit, family.function, result) or self.words, out)

    def note(self, family: Family, kind: str, result: str) -> None:
        """Notes how a command ended, and how many commands before it need not be tried."""
        b = self.b
        status = b.let(f"extractvalue {kind} {result}, 0")
        b.store(status, self.status, "i32")
        if family.skips is not None:
            disabled, skipped = b.let(f"icmp eq i32 {status}, {DISABLED}"), b.let(f"extractvalue {kind} {result}, 1")
            b.store(b.let(f"select i1 {disabled}, i64 {skipped}, i64 0"), self.skipped)

    def take(self) -> None:
        """Takes what was written for a successor if the command was fired."""
        b, unit = self.b, self.unit
        status, out = b.load(self.status, "i32"), b.load(self.out, "ptr")
        b.leave_if(b.let(f"icmp slt i32 {status}, {DISABLED}"), "faulty")
        fired = b.let(f"icmp eq i32 {status}, {DONE}")
        b.store(b.let(f"select i1 {fired}, ptr {b.element(out, unit.layout.words)}, ptr {out}"), self.out, "ptr")
        if unit.names_commands:
            self._name_command(fired)
        if self.counts:
            self._count(fired)

    def _count(self, fired: str) -> None:
        """The command was tried, and perhaps fired."""
        b = self.b
        counts = b.element(f"inttoptr (i64 {self.counts} to ptr)", b.load(self.command), "[2 x i64]")
        for at, more in ((counts, "1"), (b.element(counts, 1), b.let(f"zext i1 {fired} to i64"))):
            b.store(b.let(f"add i64 {b.load(at)}, {more}"), at)

    def _name_command(self, fired: str) -> None:
        """Written even if it is disabled, as the state is."""
        b, named = self.b, self.b.load(self.named, "ptr")
        b.store(b.let(f"trunc i64 {b.load(self.command)} to i32"), named, "i32")
        b.store(b.let(f"select i1 {fired}, ptr {b.element(named, 1, 'i32')}, ptr {named}"), self.named, "ptr")


class _OneFamily(Successors):
    """The commands of one family alone, to measure what they cost; they are not counted."""

    def __init__(self, unit: Unit, number: int, family: Family) -> None:
        super().__init__(unit)
        self.name = family_entry(number)
        self.family = (number, family)
        self.counts = 0

    def fire(self) -> None:
        self.fire_all([self.family])


# Families in one function of a large program.
PART = 32


def _split(unit: Unit) -> list[list[tuple[int, Family]]]:
    return [unit.families[first : first + PART] for first in range(0, len(unit.families), PART)]


def _parts(unit: Unit) -> list[str]:
    """The functions that the successors of a large program are divided into."""
    return [_Part(unit).part(number, families) for number, families in enumerate(_split(unit))] if unit.large else []


class _Part(Successors):
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
        return f"define {self.unit.linkage} i1 @part{number}({parameters}) #0 noinline {{\n{b.text()}\n}}\n"


_VARIABLES = ("%state", "%out", "%named", "%command", "%status")


def _command_number(b: Builder, family: Family, positions: Sequence[str]) -> str:
    number = "0"
    for values, position in zip(family.ranges, positions, strict=True):
        number = b.let(f"add i64 {b.let(f'mul i64 {number}, {len(values)}')}, {position}")
    return b.let(f"add i64 {number}, {family.first}")


class _Selected(Successors):
    """Fires the candidates: for each word of their bits, the highest bit first; of the commands that share a bit, the
    last one first."""

    def __init__(self, unit: Unit, candidates: Candidates) -> None:
        super().__init__(unit)
        self.candidates = candidates
        self.runs = candidates.runs
        self.looking = Finding(self.b, unit, candidates)
        self.size = self.looking.size
        self.bits = self.b.slot(f"[{self.size + 1} x i64]")
        self.at = self.b.slot()  # the word of candidates that is looked at
        self.left = self.b.slot()  # its candidates that were not tried yet
        self.bit = self.b.slot()  # the candidate that is tried
        self.shared = any(run.first != run.last for run in self.runs)

    def finding(self) -> str:
        """A function that finds the candidates in one state. It is run for each, so it is compiled well, and the rest
        of a large program quickly."""
        words = load_words(self.b, self.unit, "%state") if self.unit.in_registers else []
        self.looking.find("%state", words, "%bits")
        self.b.end("ret void")
        parameters = "ptr noalias readonly %state, ptr noalias %bits"
        return f"define hidden void @{CANDIDATES}({parameters}) #0 noinline {{\n{self.b.text()}\n}}\n"

    def fire(self) -> None:
        if self.unit.large:
            self.b.do(f"call void @{CANDIDATES}(ptr {self.state}, ptr {self.bits})")
        else:
            self.looking.find(self.state, self.words, self.bits)
        b, words, word, inside, done = self.b, *(self.b.name(h) for h in ("words", "word", "candidate", "done"))
        self._words(words, word, done)
        again = b.name("again")
        b.begin(again)
        left = b.load(self.left)
        b.fork(b.let(f"icmp eq i64 {left}, 0"), words, inside)
        b.begin(inside)
        self._next(left)
        b.begin(run := b.name("run"))
        self._choose(again)
        self.take()
        self._go_on(run, again)
        b.begin(done)

    def _words(self, words: str, word: str, done: str) -> None:
        """Goes through the words of candidates, the last one first: all, or those that have some."""
        b = self.b
        kept = b.element(self.bits, self.size) if self.looking.tells_words else self.at
        if not self.looking.tells_words:
            b.store(str(self.size), self.at)
        b.begin(words)
        further = b.load(kept)
        b.fork(b.let(f"icmp eq i64 {further}, 0"), done, word)
        b.begin(word)
        if self.looking.tells_words:
            at = b.let(f"sub i64 {WORD - 1}, {b.let(f'call i64 @llvm.ctlz.i64(i64 {further}, i1 true)')}")
            b.store(b.let(f"xor i64 {further}, {b.let(f'shl i64 1, {at}')}"), kept)
        else:
            at = b.let(f"sub i64 {further}, 1")
        b.store(at, self.at)
        b.store(b.load(b.element(self.bits, at)), self.left)

    def _next(self, left: str) -> None:
        """Takes the highest candidate out of those that are left, and the last of its commands."""
        b = self.b
        leading = b.let(f"call i64 @llvm.ctlz.i64(i64 {left}, i1 true)")
        inside = b.let(f"sub i64 {WORD - 1}, {leading}")
        b.store(b.let(f"xor i64 {left}, {b.let(f'shl i64 1, {inside}')}"), self.left)
        bit = b.let(f"add i64 {b.let(f'mul i64 {b.load(self.at)}, {WORD}')}, {inside}")
        b.store(bit, self.bit)
        b.store(self._of_bit([run.last for run in self.runs], bit), self.command)

    def _go_on(self, run: str, again: str) -> None:
        """With the command before, if it has the same bit."""
        b = self.b
        if not self.shared:
            b.jump(again)
            return
        command = b.load(self.command)
        first = self._of_bit([run.first for run in self.runs], b.load(self.bit))
        b.store(b.let(f"sub i64 {command}, 1"), self.command)
        b.fork(b.let(f"icmp eq i64 {command}, {first}"), again, run)

    def _of_bit(self, numbers: Sequence[int], bit: str) -> str:
        return number_at(self.b, self.unit.constants, numbers, bit)

    def _choose(self, again: str) -> None:
        """Calls the command's family by a jump table. Of a family that skips commands, all are called and taken."""
        b, families = self.b, self.unit.families
        command, taken = b.load(self.command), b.name("taken")
        kind = least_type(len(families))
        numbers = self.unit.constants.array(tuple(run.family for run in self.runs), kind)
        chosen = b.load(b.element(numbers, b.load(self.bit), kind), kind)
        labels = [b.name("family") for _ in families]
        cases = " ".join(f"{kind} {at}, label %{label}" for at, label in enumerate(labels))
        impossible = b.name("impossible")
        b.end(f"switch {kind} {chosen}, label %{impossible} [{cases}]")
        b.begin(impossible)
        b.end("unreachable")
        for label, (number, family) in zip(labels, families, strict=True):
            b.begin(label)
            if family.skips is not None:
                self._loops(number, family, [])
                b.jump(again)
                continue
            self.call(number, family, positions_of(b, family, b.let(f"trunc i64 {command} to i32")))
            b.jump(taken)
        b.begin(taken)
