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
from asset.frontends.promela.naming import NOTHING, ChannelNames, Name, name_of
from asset.frontends.promela.types import Basic


@dataclass(slots=True, eq=False)
class Group:
    """Channels whose messages have as many fields. They have room for `capacity` messages, the greatest of them."""

    capacity: int
    fields: tuple[Basic, ...]
    """A type for each field that has all values that one of the channels can hold there."""
    capacities: list[int] = field(default_factory=list)
    """The capacity of each channel."""
    name: str = ""
    firsts: dict[s.Declaration, int] = field(default_factory=dict)
    """Where the channels of each declaration begin."""
    count: int = 0
    room: str = ""
    """What the capacities are called, if they differ."""
    is_numbered: bool = False
    """Whether a variable that can name one of them may name none, or is the name that one is made with."""

    @property
    def is_array(self) -> bool:
        """So that to use a variable that names none is an error."""
        return self.count > 1 or self.is_numbered

    @property
    def is_even(self) -> bool:
        """Whether all have the same capacity."""
        return len(set(self.capacities)) <= 1

    def add(self, block: Block) -> None:
        self.firsts[block.declaration] = self.count
        self.count += block.count
        self.capacities += [block.maker.capacity] * block.count
        self.capacity = max(self.capacity, block.maker.capacity)
        pairs = zip(self.fields, block.fields, strict=True)
        self.fields = tuple(a if a.lo <= b.lo and b.hi <= a.hi else b for a, b in pairs)


class Channels:
    def __init__(self, module: s.Module, blocks: Sequence[Block], kinds: Sequence[Kind], names: Names) -> None:
        self._named = ChannelNames(module)
        self._kinds = {kind.name: kind for kind in kinds}
        self._blocks = blocks
        self._numbers: dict[int, int] = {}
        """The number of each channel in its group, by its number in the model."""
        self._groups: dict[s.Declaration, Group] = {}
        for together in self._classes(blocks):
            group = self._group(together)
            alone = len(together) == 1 and together[0].declaration in self._named.fixed
            group.name = names.of(together[0].declaration) if alone else names.new("channels")
            group.room = names.new(f"{group.name.upper()}_ROOM") if not group.is_even else ""
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
            self._require_alike(group, first, block)
            for k in range(block.count):
                self._numbers[block.base + k] = group.count + k + 1
            group.add(block)
        mine = group.firsts.keys()
        may_be_none = any(NOTHING in makers and makers & mine for makers in self._named.named.values())
        group.is_numbered = may_be_none or bool(mine - self._named.fixed)
        return group

    @staticmethod
    def _require_alike(group: Group, first: Block, block: Block) -> None:
        kinds = [[each.kind == "chan" for each in fields] for fields in (group.fields, block.fields)]
        if kinds[0] != kinds[1]:
            said = f"a variable that names both {first.declaration.name} and {block.declaration.name}, which have other"
            remedy = "give both channels the same fields, or use two variables"
            raise Unsaid(f"{said} messages", block.declaration.span, remedy)
        if (block.maker.capacity == 0) != (group.capacity == 0):
            said = "a variable that names a rendezvous and a channel with room"
            raise Unsaid(said, block.declaration.span, "use two variables, or give both some room")

    # --- what there is ------------------------------------------------------------------------------------------------

    def first_made(self, declaration: s.Declaration) -> Group | None:
        """The group whose first channels the declaration makes, if there is one."""
        group = self._groups.get(declaration)
        return group if group is not None and next(iter(group.firsts)) is declaration else None

    def made(self, declaration: s.Declaration) -> Group | None:
        """The group of the channels that the declaration makes, if it makes any."""
        return self._groups.get(declaration)

    def is_made_by(self, declaration: s.Declaration) -> bool:
        """Whether the declaration is the name of a channel, and of nothing else."""
        return isinstance(declaration.initial, s.ChannelMaker) and declaration in self._named.fixed

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

    def most(self, declaration: s.Declaration, path: str = "") -> int:
        """How many channels the variable, or the field of a structure, can name."""
        found = self._named_by((declaration, path))
        return 0 if found is None else found.count

    def _named_by(self, name: Name) -> Group | None:
        makers = self._named.named[name] - {NOTHING}
        return next((self._groups[maker] for maker in makers if maker in self._groups), None)

    # --- which is meant -----------------------------------------------------------------------------------------------

    def names_some(self, e: s.Reference) -> bool:
        """Whether the variable ever names a channel."""
        return self._named_by(name_of(e)) is not None

    def group(self, e: s.Reference) -> Group:
        found = self._named_by(name_of(e))
        if found is None:
            raise Unsaid("a question about a variable that never names a channel", e.span, "give it a channel")
        return found

    def fields(self, e: s.Reference) -> tuple[Basic, ...]:
        """What the channel holds in its messages."""
        made = [block for block in self._blocks if block.declaration in self._makers(e)]
        if len({tuple((each.lo, each.hi) for each in block.fields) for block in made}) > 1:
            said = "a message for one of several channels whose fields have other ranges"
            raise Unsaid(said, e.span, "give the fields of these channels the same types")
        return made[0].fields

    @property
    def uneven(self) -> Iterator[Group]:
        """Groups whose channels have other capacities."""
        return (group for group in dict.fromkeys(self._groups.values()) if group.room)

    def may_name_none(self, e: s.Reference) -> bool:
        return NOTHING in self._makers(e)

    def may_be_same(self, e: s.Reference, other: s.Reference) -> bool:
        return bool((self._makers(e) & self._makers(other)) - {NOTHING})

    def _makers(self, e: s.Reference) -> set[s.Declaration]:
        return self._named.named[name_of(e)]

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
