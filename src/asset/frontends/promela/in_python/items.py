"""The statements of a process as Python sees them: without braces, each with its labels; and which choices are cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from asset.frontends.promela import syntax as s
from asset.frontends.promela.control import Element, Shape


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A statement in a sequence, without the braces around it, and its labels."""

    statement: s.Stmt
    labels: tuple[str, ...] = ()


def items(body: Sequence[s.Stmt], labels: tuple[str, ...] = ()) -> Iterator[Item]:
    for statement in body:
        match statement:
            case s.Labelled(label=label, statement=inner):
                yield from items((inner,), (*labels, label))
            case s.Sequence(kind=kind, body=inside) if kind != "d_step":
                yield from items(inside, labels)
            case _:
                yield Item(statement, labels)
        labels = ()


def all_of(found: Sequence[Item]) -> Iterator[Item]:
    """All items, also those in choices."""
    for item in found:
        yield item
        for inside in _bodies(item.statement):
            yield from all_of(list(items(inside)))


def _bodies(statement: s.Stmt) -> tuple[tuple[s.Stmt, ...], ...]:
    """The sequences that the statement is made of."""
    match statement:
        case s.Choice(options=options):
            return options
        case s.Unless(main=main, escape=escape):
            return main, escape
    return ()


def leaving(found: Sequence[Item]) -> Iterator[s.Goto | s.Break]:
    """The jumps, and the breaks that leave the loop around the items."""
    for item in found:
        if isinstance(item.statement, s.Goto | s.Break):
            yield item.statement
        for inside in _bodies(item.statement):
            below = leaving(list(items(inside)))
            yield from (each for each in below if isinstance(each, s.Goto) or not repeats(item.statement))


def jumps(found: Sequence[Item]) -> Iterator[s.Goto]:
    return (item.statement for item in all_of(found) if isinstance(item.statement, s.Goto))


def never_ends(found: Sequence[Item]) -> bool:
    """Whether the items end in a loop that is never left."""
    last = found[-1].statement
    if not isinstance(last, s.Choice) or not last.repeats:
        return False
    return not any(True for option in last.options for _ in leaving(list(items(option))))


def repeats(statement: s.Stmt) -> bool:
    return isinstance(statement, s.Choice) and statement.repeats


def jumped(item: Item) -> str | None:
    return item.statement.label if isinstance(item.statement, s.Goto) else None


def with_places(body: Sequence[s.Stmt], labels: Mapping[str, Element]) -> tuple[s.Stmt, ...]:
    """The statements with one more where a label of a jump means a place: the process is there, and then jumps."""
    return tuple(_with_place(statement, labels) for statement in body)


def _with_place(statement: s.Stmt, labels: Mapping[str, Element]) -> s.Stmt:
    match statement:
        case s.Labelled(label=label, statement=s.Goto() | s.Break() as jump):
            place = labels[label]
            if place.shape is not Shape.STEP or place.statement is None:
                return statement
            return s.Sequence(statement.span, "", (replace(statement, statement=place.statement), jump))
        case s.Labelled(statement=inner):
            return replace(statement, statement=_with_place(inner, labels))
        case s.Sequence(kind=kind, body=body) if kind != "d_step":
            return replace(statement, body=with_places(body, labels))
        case s.Choice(options=options):
            return replace(statement, options=tuple(with_places(option, labels) for option in options))
        case s.Unless(main=main, escape=escape):
            return replace(statement, main=with_places(main, labels), escape=with_places(escape, labels))
    return statement


class Cutting:
    """Which choices are cut: those that a jump leads into, loops that one leaves, and what is around these."""

    def __init__(self, jumps: set[str]) -> None:
        self._jumps = jumps
        self._cut: set[s.Stmt] = set()

    def choices(self, found: Sequence[Item]) -> set[s.Stmt]:
        while True:
            before = len(self._cut)
            whole = not self._jumps and not self._cut
            self._mark(found, falls=whole, top=not whole)
            if len(self._cut) == before:
                return self._cut

    def _follows(self, item: Item) -> bool:
        """Whether the item stands behind the one before it, and is no jump or the beginning of a part."""
        part = any(label in self._jumps for label in item.labels) or (
            item.statement in self._cut and repeats(item.statement)
        )
        return not part and not isinstance(item.statement, s.Goto | s.Break)

    def _begins_part(self, found: Sequence[Item], k: int, top: bool) -> bool:
        """Whether a loop is what a part begins with: its head is the part then, and not another place."""
        if k == 0:
            return top
        return found[k - 1].statement in self._cut or any(label in self._jumps for label in found[k].labels)

    def _mark(self, found: Sequence[Item], falls: bool, top: bool = False) -> None:
        """`top` says that a part begins with the first item."""
        for k, item in enumerate(found):
            choice, rest = item.statement, found[k + 1 :]
            for body in _bodies(choice) if isinstance(choice, s.Unless) else ():
                self._mark(list(items(body)), falls=True)
            if not isinstance(choice, s.Choice):
                continue
            through = self._follows(rest[0]) if rest else falls
            inside = [list(items(option)) for option in choice.options]
            for option in inside:
                self._mark(option, choice not in self._cut and (choice.repeats or through))
            below = [each for option in inside for each in all_of(option)]
            entered = any(label in self._jumps for each in below for label in each.labels)
            left = choice.repeats and (not through or any(isinstance(each.statement, s.Goto) for each in below))
            left |= choice.repeats and self._begins_part(found, k, top)
            if entered or left or any(each.statement in self._cut for each in below):
                self._cut.add(choice)
