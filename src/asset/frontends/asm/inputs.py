"""What the environment chooses in a step: the values of monitored functions, and of `choose`.

Each is an index of the command that is fired. What a step does not ask for has one alternative only, so that no step is
counted twice: an alternative of its own if the others are names that a symmetry may exchange, else the first.

Machines have many inputs, and a step asks for few of them. If all combinations are many, the command has a number
instead, and each input is *drawn* from it where the step asks for it first: the commands that are left are divided
into as many equal parts as there are alternatives, and the number is in one of these. What is asked for later depends
on what was drawn before, so there is one enabled command for each way through the tree of these questions, the first of
those that are left at the end. All others are disabled, and skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import prod

from asset.frontends.asm import code as c
from asset.frontends.asm.classes import classes
from asset.frontends.asm.folding import is_range
from asset.frontends.asm.kinds import Element, Static, code_of, flattened, is_number, kind_over, shown
from asset.ir import nodes as n
from asset.ir.faults import FaultKind
from asset.ir.program import Function, Variable
from asset.span import Span

Class = tuple[tuple[int, ...], ...]
"""The codes of an index in classes that a step does not tell apart."""

MOST_COMBINED = 4_096
"""If all combinations are more, inputs are drawn from a number."""

MOST_DRAWN = 1 << 16
"""Commands that inputs are drawn from, unless the user allows more: a step that asks for more is a model error."""


@dataclass(frozen=True, slots=True)
class Index:
    """An alternative to choose from: what it is called, its codes, and how each is shown."""

    label: str
    codes: tuple[int, ...]
    names: tuple[str, ...]
    exchangeable: bool = False
    """Whether the alternatives are made of elements that are alike, or of numbers."""
    optional: bool = False
    """Whether there is one more alternative, to choose none of these."""

    @property
    def none(self) -> int:
        """The code of having chosen nothing."""
        if self.optional:
            return min(self.codes, default=1) - 1
        return self.codes[0] if self.codes else 0

    def alternatives(self) -> tuple[tuple[int, str], ...]:
        """All codes with their names; that of none is empty."""
        given = tuple(zip(self.codes, self.names, strict=True))
        return ((self.none, ""), *given) if self.optional else given


def index_over(label: str, universe: tuple[Static, ...]) -> Index:
    """The alternatives are the elements of the universe: by their codes if these are consecutive, else by position."""
    names = tuple(map(shown, universe))
    kind = kind_over(universe)
    in_a_row = is_range(universe)
    codes = tuple(code_of(each, kind) for each in universe) if in_a_row else tuple(range(len(universe)))
    return Index(label, codes, names, any(_is_name(part) for each in universe for part in flattened(each)))


def _is_name(value: Static) -> bool:
    """Whether it may be one of many that are alike: a number, an element of an abstract domain, or `node(1)`."""
    if not isinstance(value, Element):
        return is_number(value)
    return value.kind.alike or bool(value.kind.arguments(value.code))


def combinations(indices: tuple[Index, ...]) -> int:
    return prod(len(index.alternatives()) for index in indices)


def are_many(indices: tuple[Index, ...]) -> bool:
    """Whether they are drawn from a number."""
    return combinations(indices) > MOST_COMBINED


@dataclass(frozen=True, slots=True)
class Drawn:
    """An input that was drawn: what it is called, the local that has it, and how its codes are shown."""

    label: str
    slot: int
    names: tuple[tuple[int, str], ...]


@dataclass
class Inputs:
    """The indices of a command. `assumed` are those that were found when the machine was lowered before: they are the
    parameters of the function. Lowering is repeated until that is so."""

    writer: c.Writer
    assumed: tuple[Index, ...]
    found: list[Index] = field(default_factory=list)
    in_use: set[int] = field(default_factory=set)
    """The indices that are taken on the way to here; others may be used again."""
    asked: set[int] = field(default_factory=set)
    """The indices that every step has asked for that comes to here."""
    _always: set[int] = field(default_factory=set)
    _flags: dict[str, int] = field(default_factory=dict)
    _shared: dict[str, int] = field(default_factory=dict)

    @property
    def parameters(self) -> list[str]:
        """The names of the function's parameters."""
        return [index.label for index in self.assumed]

    @property
    def codes(self) -> dict[int, tuple[int, ...]]:
        """The locals that have what was chosen, with the codes that they may have."""
        return {slot: index.codes for slot, index in enumerate(self.assumed)}

    def settled(self) -> tuple[Index, ...]:
        """The indices that were found, with one more alternative where not every step asks for them."""
        sometimes = set(map(self._number, self._flags)) - self._always
        optional = tuple(
            replace(index, optional=index.exchangeable and number in sometimes)
            for number, index in enumerate(self.found)
        )
        return tuple(self.found) if are_many(optional) else optional

    def fresh(self, index: Index, span: Span, certain: bool) -> n.Expr:
        """An index for a choice that is made here; `certain` if every step makes it."""
        number = self._free(index)
        return self._some(f"#{number}", number, index, span, certain)

    def _free(self, index: Index) -> int:
        for number, known in enumerate(self.found):
            free = number not in self.in_use and number not in self._shared.values()
            if free and known.codes == index.codes and known.names == index.names:
                self._name_also(number, index.label)
                return number
        return self._new(index)

    def shared(self, key: str, index: Index, span: Span, certain: bool) -> n.Expr:
        """The index of what is the same wherever it is asked for in a step."""
        if key not in self._shared:
            self._shared[key] = self._new(index)
        return self._some(key, self._shared[key], index, span, certain)

    def has_been_asked(self, key: str, span: Span) -> n.Expr:
        """Whether the step has asked for it."""
        certain = self._shared[key] in self._always
        return c.const(span, 1) if certain else n.Local(span, self._flag(key, span))

    def _new(self, index: Index) -> int:
        self.found.append(index)
        return len(self.found) - 1

    def _name_also(self, number: int, label: str) -> None:
        known = self.found[number]
        if label not in known.label.split("/"):
            self.found[number] = replace(known, label=f"{known.label}/{label}")

    def _number(self, key: str) -> int:
        return int(key[1:]) if key.startswith("#") else self._shared[key]

    def _some(self, key: str, number: int, index: Index, span: Span, certain: bool) -> n.Expr:
        """Asked for, with one of the alternatives that are not none."""
        again = number in self.asked
        self.in_use.add(number)
        self.asked.add(number)
        if certain:
            self._always.add(number)
        elif number not in self._always and not again:
            self.writer.emit(n.SetLocal(span, self._flag(key, span), c.const(span, 1)))
        if number >= len(self.assumed):
            return n.Local(span, self.writer.slot("index"))  # it is lowered again, with one more index
        taken = n.Local(span, number)
        if self.assumed[number].optional and not again:
            none = c.const(span, self.assumed[number].none)
            self.writer.emit(n.When(span, c.binary(span, n.BinaryOp.NE, taken, none)))
        return taken

    def _flag(self, key: str, span: Span) -> int:
        if key not in self._flags:
            self._flags[key] = self.writer.cleared(span, f"asked {self.found[self._number(key)].label}")
        return self._flags[key]

    def end(self, span: Span) -> None:
        """What is not asked for has nothing chosen."""
        flags: dict[int, list[n.Expr]] = {}
        for key, flag in self._flags.items():
            flags.setdefault(self._number(key), []).append(n.Local(span, flag))
        for number, asked in flags.items():
            if number not in self._always and number < len(self.assumed):
                nothing = c.equal(span, n.Local(span, number), c.const(span, self.assumed[number].none))
                self.writer.emit(n.When(span, c.disjunction(span, (*asked, nothing))))

    def returned(self, span: Span) -> None:
        """Writes what the function returns, if that means something."""

    @contextmanager
    def in_some_steps(self) -> Iterator[None]:
        """What is asked for inside is not asked for by every step that comes behind it."""
        before = set(self.asked)
        yield
        self.asked = before


@dataclass
class DrawnInputs(Inputs):
    """The inputs of a command that has a number. Of values that the step does not tell apart, one is drawn: `classes`
    are those of each index, if they are known already."""

    most: int = MOST_DRAWN
    classes: tuple[Class, ...] = ()
    drawing: dict[n.Stmt, Drawn] = field(default_factory=dict)
    """The statements that note that an input was drawn."""
    number: int = 0
    left: int = 1
    """Locals: how many commands the number is one of, and where among them it is."""
    place: int = 2
    skips: int = 3
    """The local that says how many commands before a disabled one are disabled too."""
    _slots: dict[int, int] = field(default_factory=dict)

    @property
    def commands(self) -> int:
        """How many there are. A product of all sizes is divided without remainder, whatever is drawn first."""
        return min(prod(len(self._drawn_from(number, index)) for number, index in enumerate(self.assumed)), self.most)

    def _drawn_from(self, number: int, index: Index) -> Class:
        """The classes of an index; if it is another one than before, it is lowered once more."""
        known = number < len(self.classes) and self.assumed[number].codes == index.codes
        return self.classes[number] if known else tuple((code,) for code in index.codes)

    @property
    def parameters(self) -> list[str]:
        return ["number"]

    @property
    def codes(self) -> dict[int, tuple[int, ...]]:
        return {slot: self.found[number].codes for number, slot in self._slots.items()}

    def begin(self, span: Span) -> None:
        """Nothing is drawn yet."""
        for name in ("left", "place", "skips"):
            self.writer.slot(name)
        self.writer.emit(n.SetLocal(span, self.left, c.const(span, self.commands)))
        self.writer.emit(n.SetLocal(span, self.place, n.Local(span, self.number)))
        self.writer.emit(n.SetLocal(span, self.skips, n.Local(span, self.number)))

    def settled(self) -> tuple[Index, ...]:
        return tuple(self.found)

    def has_been_asked(self, key: str, span: Span) -> n.Expr:
        return n.Local(span, self._flag(f"#{self._shared[key]}", span))

    def _some(self, key: str, number: int, index: Index, span: Span, certain: bool) -> n.Expr:
        """It is drawn, unless it was drawn before."""
        self.in_use.add(number)
        flag = self._flag(f"#{number}", span)
        if number not in self._slots:
            self._slots[number] = self.writer.cleared(span, index.label)
        slot = self._slots[number]
        drawn = self.writer.block(lambda: self._draw(index, self._drawn_from(number, index), slot, flag, span))
        self.writer.branch(span, c.negation(span, n.Local(span, flag)), drawn)
        return n.Local(span, slot)

    def _draw(self, index: Index, drawn_from: Class, slot: int, flag: int, span: Span) -> None:
        emit = self.writer.emit
        left, place = n.Local(span, self.left), n.Local(span, self.place)
        size = len(drawn_from)
        emit(n.SetLocal(span, self.left, _divided(span, left, c.const(span, size))))
        text = (
            f"the step asks for more than {self.commands:,} combinations of inputs; bound some of them with -p or "
            f"//@, or -p choices={16 * self.commands} allows more"
        )
        self.writer.branch(span, c.equal(span, left, c.const(span, 0)), (n.Fail(span, FaultKind.LIMIT, (text,)),))
        part = self.writer.slot("part")
        emit(n.SetLocal(span, part, _divided(span, place, left)))
        emit(n.SetLocal(span, slot, _one_of(span, part, tuple(each[0] for each in drawn_from))))
        emit(n.SetLocal(span, self.place, n.Binary(span, n.BinaryOp.MOD, place, left)))
        emit(n.SetLocal(span, self.skips, place))
        asked = n.SetLocal(span, flag, c.const(span, 1))
        emit(asked)
        self.drawing[asked] = Drawn(index.label, slot, _named(index, drawn_from))
        if self.commands == self.most:  # the parts may leave a remainder
            emit(n.When(span, c.binary(span, n.BinaryOp.LT, n.Local(span, part), c.const(span, size))))

    def told_apart(self, function: Function, variables: Sequence[Variable]) -> tuple[Class, ...]:
        """The classes of each index that the function, which was written with these inputs, tells apart."""
        found = classes(function, self.codes, variables)
        slots = (self._slots.get(number) for number in range(len(self.found)))
        every = (tuple((code,) for code in index.codes) for index in self.found)
        return tuple(each if slot is None else found[slot] for slot, each in zip(slots, every, strict=True))

    def end(self, span: Span) -> None:
        """The first of the commands that are left is enabled."""
        place = n.Local(span, self.place)
        self.writer.emit(n.SetLocal(span, self.skips, _one_less(span, self.place)))
        self.writer.emit(n.When(span, c.equal(span, place, c.const(span, 0))))
        self.writer.emit(n.SetLocal(span, self.skips, c.const(span, 0)))

    def returned(self, span: Span) -> None:
        self.writer.emit(n.Return(span, _one_less(span, self.left)))


def _one_of(span: Span, part: int, codes: tuple[int, ...]) -> n.Expr:
    """The code that the part means."""
    if codes == tuple(range(codes[0], codes[0] + len(codes))):
        return c.binary(span, n.BinaryOp.ADD, n.Local(span, part), c.const(span, codes[0]))
    last = c.const(span, len(codes) - 1)
    inside = c.binary(span, n.BinaryOp.LE, n.Local(span, part), last)  # what is behind is disabled afterwards
    place = n.Conditional(span, inside, n.Local(span, part), last)
    return n.Table(span, "one of each class", (len(codes),), codes, (place,))


def _named(index: Index, drawn_from: Class) -> tuple[tuple[int, str], ...]:
    """The codes that are drawn, each with its name, or with the first and the last of its class."""
    names = dict(zip(index.codes, index.names, strict=True))
    found = []
    for each in drawn_from:
        together = len(each) > 1 and list(each) == list(range(each[0], each[-1] + 1))
        found.append((each[0], f"{names[each[0]]}..{names[each[-1]]}" if together else names[each[0]]))
    return tuple(found)


def _one_less(span: Span, slot: int) -> n.Expr:
    return c.binary(span, n.BinaryOp.SUB, n.Local(span, slot), c.const(span, 1))


def _divided(span: Span, left: n.Expr, right: n.Expr) -> n.Expr:
    return n.Binary(span, n.BinaryOp.FLOORDIV, left, right)
