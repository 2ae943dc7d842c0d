"""What it takes to follow properties through what symmetries make of them (native/abi.h, steps and holds)."""

from __future__ import annotations

from collections.abc import Sequence

from asset.codegen.builder import Builder
from asset.codegen.calls import load_words, state_arguments, store_words
from asset.codegen.expressions import DISABLED
from asset.codegen.renaming import Renaming
from asset.codegen.unit import Unit
from asset.ir.groups import Block, Descent, Group, Least, Permutation, Sorting, neighbours
from asset.ir.requirements import Predicate


class Steps:
    """Lists the steps from a state to its representative, the same as `asset.ir.groups.Chooser.chosen`."""

    def __init__(self, unit: Unit, group: Group) -> None:
        self.unit = unit
        self.group = group
        self.b = Builder()
        self.renaming = Renaming(self.b, unit)
        self.type = self.renaming.type
        self.count = self.b.slot()

    def text(self) -> str:
        b = self.b
        b.store("0", self.count)
        whole = self.renaming.joined(load_words(b, self.unit, "%state"))
        match self.group.chooser:
            case Least(elements=elements):
                self._least(whole, elements)
            case Sorting(parts=parts):
                first = 0
                for blocks in parts:
                    self._sorted(whole, blocks, first)
                    first += len(blocks) - 1
            case Descent(steps=steps):
                self._descended(whole, steps)
            case other:
                raise AssertionError(other)
        b.end(f"ret i64 {b.load(self.count)}")
        body = b.text()
        return f"define i64 @steps(ptr noalias readonly %state, ptr noalias %out, i64 %capacity) #0 {{\n{body}\n}}\n"

    def _append(self, number: str, condition: str) -> None:
        """Adds the number if the condition is true. It is written in any case: the next one overwrites it."""
        b, count = self.b, self.b.load(self.count)
        fits = b.let(f"icmp ult i64 {count}, %capacity")
        place = b.let(f"select i1 {fits}, i64 {count}, i64 %capacity")
        b.store(number, b.element("%out", place, "i32"), "i32")
        b.store(b.let(f"add i64 {count}, {b.let(f'zext i1 {condition} to i64')}"), self.count)

    def _least(self, whole: str, elements: Sequence[Permutation]) -> None:
        best, number = whole, "0"
        for k, element in enumerate(elements[1:], 1):
            less, best = self.renaming.lesser(best, self.renaming.image(whole, element))
            number = self.b.let(f"select i1 {less}, i32 {k}, i32 {number}")
        self._append(number, self.b.let(f"icmp ne i32 {number}, 0"))

    def _sorted(self, whole: str, blocks: Sequence[Block], first: int) -> None:
        b, kind = self.b, self.renaming.key_type(blocks[0])
        keys = [self.renaming.key(whole, block, kind) for block in blocks]
        for k in neighbours(len(keys)):
            one, other = keys[k], keys[k + 1]
            less = b.let(f"icmp ult {kind} {other}, {one}")
            keys[k] = b.let(f"select i1 {less}, {kind} {other}, {kind} {one}")
            keys[k + 1] = b.let(f"select i1 {less}, {kind} {one}, {kind} {other}")
            self._append(str(first + k), less)

    def _descended(self, whole: str, steps: Sequence[Permutation]) -> None:
        b = self.b
        current, before = b.slot(self.type), b.slot()
        again, done = b.name("again"), b.name("done")
        b.store(whole, current, self.type)
        b.begin(again)
        b.store(b.load(self.count), before)
        for k, step in enumerate(steps):
            here = b.load(current, self.type)
            less, best = self.renaming.lesser(here, self.renaming.image(here, step))
            b.store(best, current, self.type)
            self._append(str(k), less)
        b.fork(b.let(f"icmp ne i64 {b.load(self.count)}, {b.load(before)}"), again, done)
        b.begin(done)


class HoldsInMeaning:
    """Evaluates a property in the image of the state that its meaning speaks of."""

    def __init__(self, unit: Unit, group: Group) -> None:
        self.unit = unit
        self.group = group
        self.b = Builder()
        self.renaming = Renaming(self.b, unit)
        self.seen = self.b.slot(f"[{unit.layout.words} x i64]")

    def text(self) -> str:
        b = self.b
        whole = self.renaming.joined(load_words(b, self.unit, "%state"))
        followed = [(p, m) for requirement, m in self.group.meanings.items() for p in requirement.predicates]
        total = sum(len(meanings) for _, meanings in followed)
        if not total:  # only commands are renamed
            b.end("ret i32 0")
            return self._defined()
        first, *others = labels = [b.name("meaning") for _ in range(total)]
        targets = " ".join(f"i32 {k}, label %{label}" for k, label in enumerate(others, 1))
        b.end(f"switch i32 %meaning, label %{first} [{targets}]")
        following = iter(labels)
        for predicate, meanings in followed:
            evaluated = b.name("property")
            for back in meanings.back:
                b.begin(next(following))
                store_words(b, self.renaming.split(self.renaming.image(whole, back)), self.seen)
                b.jump(evaluated)
            b.begin(evaluated)
            self._evaluated(predicate)
        return self._defined()

    def _defined(self) -> str:
        return f"define i32 @holds(ptr noalias readonly %state, i32 %meaning) #0 {{\n{self.b.text()}\n}}\n"

    def _evaluated(self, predicate: Predicate) -> None:
        b, kind = self.b, self.unit.result_type(predicate.function)
        state, work = state_arguments(b, self.unit, self.seen), self.unit.work_argument(predicate.function)
        arguments = ", ".join([*state, *work])
        result = b.let(f"call {kind} @function{predicate.function}({arguments})")
        status = b.let(f"extractvalue {kind} {result}, 0")
        compared = "eq" if predicate.messages else "ne"
        truth = b.let(f"icmp {compared} i64 {b.let(f'extractvalue {kind} {result}, 1')}, 0")
        faulty = b.let(f"icmp slt i32 {status}, {DISABLED}")
        held = b.let(f"zext i1 {truth} to i32")
        b.end(f"ret i32 {b.let(f'select i1 {faulty}, i32 {status}, i32 {held}')}")
