"""Channels as queues of Python, and the numbers by which variables name them.

Channels that one variable can name are in one array, a *group*: the variable has the number of one of them, from 1 on,
or 0 if it names none. A group that is made by one declaration has its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from asset.frontends.promela import syntax as s
from asset.frontends.promela.in_python.names import Names, Unsaid
from asset.frontends.promela.layout import Block, Kind
from asset.frontends.promela.naming import NOTHING, ChannelNames, Name
from asset.frontends.promela.types import Basic


@dataclass(slots=True, eq=False)
class Group:
    """Channels that hold as many messages of the same fields."""

    capacity: int
    fields: tuple[Basic, ...]
    name: str = ""
    firsts: dict[s.Declaration, int] = field(default_factory=dict)
    """Where the channels of each declaration begin."""
    count: int = 0
    may_be_none: bool = False
    """Whether a variable that can name one of them may name none."""

    @property
    def is_array(self) -> bool:
        """So that to use a variable that names none is an error."""
        return self.count > 1 or self.may_be_none

    def add(self, block: Block) -> None:
        self.firsts[block.declaration] = self.count
        self.count += block.count


class Channels:
    def __init__(self, module: s.Module, blocks: Sequence[Block], kinds: Sequence[Kind], names: Names) -> None:
        if any(d.within for d in (*module.globals, *(d for kind in kinds for d in kind.process.locals))):
            raise Unsaid("channels in structures")
        self._named = ChannelNames(module)
        self._kinds = {kind.name: kind for kind in kinds}
        self._numbers: dict[int, int] = {}
        """The number of each channel in its group, by its number in the model."""
        self._groups: dict[s.Declaration, Group] = {}
        for together in self._classes(blocks):
            group = self._group(together)
            group.name = names.of(together[0].declaration) if len(together) == 1 else names.new("channels")
            for block in together:
                self._groups[block.declaration] = group

    def _classes(self, blocks: Sequence[Block]) -> Iterator[list[Block]]:
        """Those that variables or fields of messages can name together."""
        classes = [{block.declaration} for block in blocks]
        for makers in self._named.named.values():
            met = [each for each in classes if each & makers]
            if len(met) > 1:
                classes = [each for each in classes if not each & makers] + [set[s.Declaration]().union(*met)]
        for each in classes:
            yield [block for block in blocks if block.declaration in each]

    def _group(self, together: Sequence[Block]) -> Group:
        first = together[0]
        group = Group(first.maker.capacity, first.fields)
        for block in together:
            if (block.maker.capacity, block.fields) != (group.capacity, group.fields):
                raise Unsaid("variables that name channels of different capacities or messages")
            for k in range(block.count):
                self._numbers[block.base + k] = group.count + k + 1
            group.add(block)
        mine = group.firsts.keys()
        group.may_be_none = any(NOTHING in makers and makers & mine for makers in self._named.named.values())
        return group

    # --- what there is ------------------------------------------------------------------------------------------------

    def first_made(self, declaration: s.Declaration) -> Group | None:
        """The group whose first channels the declaration makes, if there is one."""
        group = self._groups.get(declaration)
        return group if group is not None and next(iter(group.firsts)) is declaration else None

    def is_made_by(self, declaration: s.Declaration) -> bool:
        """Whether the declaration is the name of a channel, and of nothing else."""
        if not isinstance(declaration.initial, s.ChannelMaker):
            return False
        if declaration not in self._named.fixed:
            raise Unsaid("channels whose names are given to other channels")
        return True

    def firsts(self, numbers: Sequence[int]) -> list[int]:
        """The first values of variables that name channels."""
        return [self._numbers.get(number, 0) for number in numbers]

    def field_range(self, group: Group, k: int) -> tuple[int, int]:
        """The numbers that a field of the messages can have."""
        field = group.fields[k]
        if field.kind != "chan":
            return field.lo, field.hi
        named = [self._named_by((maker, f"?{k}")) for maker in group.firsts]
        return 0, max((each.count for each in named if each is not None), default=0)

    def most(self, declaration: s.Declaration) -> int:
        """How many channels the variable can name."""
        found = self._named_by((declaration, ""))
        return 0 if found is None else found.count

    def _named_by(self, name: Name) -> Group | None:
        makers = self._named.named[name] - {NOTHING}
        return next((self._groups[maker] for maker in makers if maker in self._groups), None)

    # --- which is meant -----------------------------------------------------------------------------------------------

    def group(self, e: s.Reference) -> Group:
        if e.parts:
            raise Unsaid("channels in structures")
        if e.declaration in self._groups:
            found: Group | None = self._groups[e.declaration]
        else:
            found = self._named_by((e.declaration, ""))
        if found is None:
            raise Unsaid("a variable that never names a channel")
        return found

    def may_name_none(self, e: s.Reference) -> bool:
        return NOTHING in self._makers(e)

    def may_be_same(self, e: s.Reference, other: s.Reference) -> bool:
        return bool((self._makers(e) & self._makers(other)) - {NOTHING})

    def _makers(self, e: s.Reference) -> set[s.Declaration]:
        return {e.declaration} if e.declaration in self._groups else self._named.named[e.declaration, ""]

    def place(self, e: s.Reference, pid: str, index: str) -> str:
        """Where a channel is in its group that is named where it is declared, `pid` being the number of the process."""
        group, d = self._groups[e.declaration], e.declaration
        kind = self._kinds.get(d.owner or "")
        first, terms = group.firsts[d], list[str]()
        if kind is not None and not kind.single:
            own = pid if kind.pids[0] == 0 else f"{pid} - {kind.pids[0]}"
            terms.append(own if d.length is None else f"({own}) * {d.length}")
        if d.length is not None:
            terms.append(index)
        constant = first + sum(int(term) for term in terms if term.isdigit())
        terms = [term for term in terms if not term.isdigit()]
        return " + ".join([*terms, *([str(constant)] if constant or not terms else [])])

    def owners(self, group: Group) -> Mapping[s.Declaration, Kind]:
        """The processes that make channels of the group."""
        return {d: self._kinds[d.owner] for d in group.firsts if d.owner is not None}
