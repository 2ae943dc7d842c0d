"""The control flow of a process as loops and branches of Python, with a `yield` where a step ends.

A `goto` has no words in Python. If a process jumps, its code is cut into *parts*, one for each place that is jumped to:
they stand in a loop, and a variable says which of them is next. It is known at each point, and so is no state. In a
process with `unless`, whose helper processes jump as well, it is an attribute, with its first value while a part runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import source_text
from asset.frontends.promela.control import Element, Shape, Step
from asset.frontends.promela.in_python.comments import Comments
from asset.frontends.promela.in_python.deciding import one_holds, told_apart
from asset.frontends.promela.in_python.items import (
    Cutting,
    Item,
    all_of,
    items,
    jumped,
    jumps,
    leaving,
    never_ends,
    repeats,
    with_places,
)
from asset.frontends.promela.in_python.names import Unsaid
from asset.frontends.promela.in_python.places import Places
from asset.frontends.promela.in_python.statements import Lines, Statements, interrupted, waits
from asset.span import Span

PASSED = (Shape.JOIN, Shape.BREAK, Shape.GOTO)
START, END = "start", "finish"


@dataclass(frozen=True, slots=True)
class After:
    """What follows the end of a sequence: the code below it (nothing is said), the end of the loop, or a part."""

    word: str = ""
    part: str = ""


FALLS, LEAVES = After(), After("break")


@dataclass(slots=True)
class Parts:
    """The parts of a process that is cut into some: those that are written, and those that are still to be."""

    written: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    pending: list[tuple[str, Sequence[Item], After, After]] = field(default_factory=list)
    """With what follows their end, and what a break leads to."""


class Flow:
    def __init__(
        self,
        places: Places,
        statements: Statements,
        goto: str,
        comments: Comments,
        new_name: Callable[[str], str],
    ) -> None:
        kind = places.kind
        self._kind = kind
        self._places = places
        self._statements = statements
        self._comments = comments
        self._new_name = new_name
        control = kind.control
        self._steps: dict[int, Step] = {id(e.element.statement): e for found in control.steps.values() for e in found}
        self._items = list(items(with_places(kind.process.body, control.labels)))
        self._jumps = {each.label for each in jumps(self._items)}
        self._cut = Cutting(self._jumps).choices(self._items)
        self._parts = Parts()
        self._names: dict[str, str] = {}
        self._first = self._now = START
        """The first part, and the one that is being written."""
        self._skipped = self._begins_with_jump()
        if self._skipped:
            self._first, self._items = self._jump(self._skipped).part, self._items[1:]
        elif self._items:
            self._first = self._part_of(self._items[0]) or START
            self._names[str(id(self._items[0].statement))] = self._first
        self.keeps_goto = any(isinstance(each.statement, s.Unless) for each in all_of(self._items))
        self._goto = goto if self.keeps_goto else "goto"
        self._guards: list[tuple[int, str]] = []
        """What stands before each statement, with its depth there: what the process waits for, and what it escapes."""
        if statements.provided is not None:
            self._guards.append((0, f"when({statements.provided})"))
        self.helpers: dict[str, list[tuple[int, str]]] = {}
        """The bodies of helper processes, by their names."""
        self.ends = any(place.shape is Shape.END for place in control.places)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that the process is cut into, if it is, the first before all others."""
        return tuple(sorted(self._parts.written, key=lambda name: name != self._first))

    def lines(self, begin: Sequence[str], finish: Sequence[str], depth: int) -> list[tuple[int, str]]:
        """`begin` stands before the first step; `finish` is what the process does at its end, if it comes to it."""
        if not self._jumps and not self._cut:
            body = list(self._sequence(self._items, depth, FALLS, begin))
            return body + ([(depth, text) for text in finish] if self.ends else [])
        return self._cut_up(begin, finish, depth)

    def _begins_with_jump(self) -> str | None:
        """The label that the process begins at, if that is not its first statement."""
        first = self._items[0].statement if self._items else None
        return first.label if isinstance(first, s.Goto) and id(first) not in self._steps else None

    # --- parts --------------------------------------------------------------------------------------------------------

    def _cut_up(self, begin: Sequence[str], finish: Sequence[str], depth: int) -> list[tuple[int, str]]:
        first, parts = self._first, self._parts
        begun = (first, self._items) if not self._skipped else (self._named(self._items[0]), self._items)
        parts.pending.append((*begun, After("continue", END), LEAVES))
        while parts.pending:
            name, found, after, leave = parts.pending.pop()
            if name not in parts.written:
                parts.written[name], self._now = [], name
                opening = begin if name == first else ()
                parts.written[name] = list(self._part(found, depth + 3, after, leave, opening))
        if self.ends:
            again = "continue" if self.keeps_goto else "break"
            parts.written[END] = [(depth + 3, text) for text in (*finish, again if begin else "return")]
        if len(parts.written) == 1:
            body = [(at - 2, text) for at, text in parts.written[first]]
            return [(depth, "while True:"), *(body[:-1] if body[-1] == (depth + 1, "continue") else body)]
        return list(self._dispatched(first, depth))

    def _dispatched(self, first: str, depth: int) -> Lines:
        label = f"{self._kind.name}Label"
        if not self.keeps_goto:
            yield depth, f"{self._goto} = {label}.{first}"
        yield depth, "while True:"
        yield depth + 1, f"match {self._goto}:"
        for k, name in enumerate(self.parts):
            body = self._parts.written[name]
            yield depth + 2, f"case {label}.{name}:" if k + 1 < len(self.parts) else f"case _:  # {name}"
            if name != first and self.keeps_goto:
                yield depth + 3, f"{self._goto} = {label}.{first}"
            yield from body

    def _part_of(self, item: Item) -> str | None:
        """The name of the part that begins with the item, if it is jumped to."""
        return next((label for label in item.labels if label in self._jumps), None)

    def _begins_part(self, item: Item) -> bool:
        return self._part_of(item) is not None or (item.statement in self._cut and repeats(item.statement))

    def _named(self, item: Item) -> str:
        own = self._part_of(item)
        if own is not None:
            return own
        base = f"line_{item.statement.span.line}"
        key = str(id(item.statement))
        if key not in self._names:
            count = sum(name.startswith(base) for name in self._names.values())
            self._names[key] = f"{base}_{count + 1}" if count else base
        return self._names[key]

    def _later(self, found: Sequence[Item], after: After, leave: After) -> After:
        """The items are a part of their own; how it is jumped to."""
        if not found:
            return after
        target = jumped(found[0])
        if target is not None and not isinstance(found[0].statement, s.Break):
            return self._jump(target)
        if isinstance(found[0].statement, s.Break) and leave.part:
            return leave
        name = self._named(found[0])
        self._parts.pending.append((name, found, after, leave))
        return After("continue", name)

    def _part(self, found: Sequence[Item], depth: int, after: After, leave: After, begin: Sequence[str] = ()) -> Lines:
        """Items in a part: what is jumped to begins another one."""
        for k, item in enumerate(found):
            choice, rest = item.statement, found[k + 1 :]
            if k and self._begins_part(item):
                yield from self._sequence(found[:k], depth, self._later(found[k:], after, leave), begin, leave)
                return
            if isinstance(choice, s.Choice) and choice in self._cut:
                goes = rest and jumped(rest[0])
                behind = self._after(rest, after, leave) if goes else self._later(rest, after, leave)
                yield from self._sequence(found[:k], depth, FALLS, begin, leave)
                again = After("continue", self._named(item)) if choice.repeats else behind
                yield from self._opened(depth, begin if k == 0 else ())
                yield from self._above(choice, depth)
                yield from self._choice(choice, depth, again, behind if choice.repeats else leave)
                return
        yield from self._sequence(found, depth, after, begin, leave)

    # --- sequences ----------------------------------------------------------------------------------------------------

    def _jump(self, label: str) -> After:
        """To a label: those of jumps are passed over."""
        for _ in range(100):
            item = next((each for each in all_of(self._items) if label in each.labels), None)
            if item is None:
                raise Unsaid(f"a jump into d_step, to {label}", self._kind.process.span, "jump to where it begins")
            onward = item.statement
            if isinstance(onward, s.Break):
                raise Unsaid(f"a jump to break, to {label}", onward.span, "jump to what follows the loop")
            if not isinstance(onward, s.Goto):
                return After("continue", self._named(item))
            label = onward.label
        raise Unsaid("jumps that lead to each other", self._kind.process.span, "put a statement between them")

    def _after(self, rest: Sequence[Item], after: After, leave: After = LEAVES) -> After:
        if not rest:
            return after
        following = rest[0].statement
        if isinstance(following, s.Goto):
            return self._jump(following.label)
        return leave if isinstance(following, s.Break) else FALLS

    def _sequence(
        self,
        found: Sequence[Item],
        depth: int,
        after: After,
        begin: Sequence[str] = (),
        leave: After = LEAVES,
        opened: bool = False,
    ) -> Lines:
        """Items one after the other, none of which is cut. `opened` says that what guards the first was asked."""
        for k, item in enumerate(found):
            next_ = self._after(found[k + 1 :], after, leave)
            statement = item.statement
            inside = isinstance(statement, s.Choice) and statement.repeats and statement not in self._cut
            if not inside:
                yield from self._opened(depth, begin if k == 0 else (), k > 0 or not opened)
            if isinstance(statement, s.Goto | s.Break):
                if k == 0:
                    own = self._jump(statement.label) if isinstance(statement, s.Goto) else leave
                    yield from self._stepped(statement, depth, own)
                return
            if isinstance(statement, s.Choice):
                yield from self._above(statement, depth)
                if statement.repeats:
                    yield depth, "while True:"
                    yield from self._opened(depth + 1, begin if k == 0 else ())
                    yield from self._choice(statement, depth + 1, FALLS, LEAVES)
                else:
                    yield from self._choice(statement, depth, next_, leave)
            elif isinstance(statement, s.Unless):
                yield from self._unless(statement, depth, next_, leave)
            else:
                yield from self._waiting(statement, depth)
                yield from self._stepped(statement, depth, next_)

    def _opened(self, depth: int, begin: Sequence[str], guarded: bool = True) -> Lines:
        yield from ((depth, text) for text in begin)
        yield from ((depth + at, text) for at, text in (self._guards if guarded else ()))

    def _waiting(self, statement: s.Stmt, depth: int) -> Lines:
        yield from self._above(statement, depth)
        if not self._statements.meets(statement):
            yield from self._commented(waits(self._statements.enabled(statement), depth), statement.span)

    def _reached(self, statement: s.Stmt) -> bool:
        return isinstance(statement, s.Choice) or id(statement) in self._steps

    def _above(self, statement: s.Stmt, depth: int) -> Lines:
        for comment in self._comments.above(statement.span) if self._reached(statement) else ():
            yield depth, comment

    def _stepped(self, statement: s.Stmt, depth: int, after: After) -> Lines:
        """What the statement does, and where the process is then; nothing if it is never come to."""
        step = self._steps.get(id(statement))
        if step is None:
            return
        yield from self._commented(self._effect(statement, depth), statement.span)
        if after.part not in ("", self._first if self.keeps_goto else self._now):
            yield depth, f"{self._goto} = {self._kind.name}Label.{after.part}"
        yield from self._arrived(step, depth)
        if after.word:
            yield depth, after.word

    def _commented(self, lines: Lines, span: Span) -> Lines:
        """The first of the lines has the comment that stands behind the statement."""
        for k, (depth, text) in enumerate(lines):
            yield depth, text if k or "#" in text else text + self._comments.behind(span)

    def _effect(self, statement: s.Stmt, depth: int) -> Lines:
        if isinstance(statement, s.Sequence):
            yield from self._statements.at_once(statement.body, depth, first=True)
        elif isinstance(statement, s.Condition) and self._statements.does_nothing(statement):
            # Without any code of its own, this step would be the same as others that do nothing.
            yield depth, f"pass  # {source_text(statement.span)}"
        else:
            yield from self._statements.effect(statement, depth)

    def _arrived(self, step: Step, depth: int) -> Lines:
        atomic, target = step.atomic, step.target
        if atomic and isinstance(step.statement, s.Send) and self._statements.meets(step.statement):
            assert target is not None  # the receiver goes on
            yield depth, self._yield(target)
            if target.shape in PASSED:
                yield depth, "pass  # the end of the atomic sequence"
                yield from self._arrived(self._kind.control.steps[target][0], depth)
            return
        while atomic and target is not None and target.shape in PASSED:
            (onward,) = self._kind.control.steps[target]
            atomic, target = onward.atomic, onward.target
        assert target is not None
        if target.shape in PASSED:
            raise Unsaid("a jump that leads to itself", target.span, "put a statement before it")
        if atomic:
            yield from interrupted(self._able(target), depth, self._yield(target))
        else:
            yield depth, self._yield(target)

    def _able(self, place: Element) -> str | None:
        if place.shape is Shape.END:
            pid = str(self._kind.pids[0] + 1) if self._kind.single else "pid + 1"
            able: str | None = f"self.nr_pr == {pid}"
        else:
            escapes = [step.element.statement for step in self._kind.control.steps[place] if step.escape is not None]
            assert place.statement is not None
            firsts = [*(each for each in escapes if each is not None), place.statement]
            able = self._statements.enabled_at_once(place.statement) if len(firsts) == 1 else self._any_able(firsts)
        return self._statements.also_provided(able)

    def _any_able(self, firsts: Sequence[s.Stmt]) -> str | None:
        tests = [self._statements.enabled_at_once(first) for first in firsts]
        if any(test is None for test in tests):
            return None
        return " or ".join(f"({test})" if test is not None and " and " in test else str(test) for test in tests)

    # --- unless -------------------------------------------------------------------------------------------------------

    def _unless(self, statement: s.Unless, depth: int, after: After, leave: After) -> Lines:
        """What may be escaped is a helper process. If it never comes to its end, the escape stands behind it; otherwise
        the escape is a helper process, too, so that both lead to the same place."""
        main, escape = list(items(statement.main)), list(items(statement.escape))
        self._require_plain(statement, main, escape)
        test = self._statements.enabled(escape[0].statement) or "True"
        own = "" if self._kind.single else "pid"
        until, said = self._helper("main"), source_text(escape[0].statement.span)
        if never_ends(main):
            self._write(until, f"Goes on until it can be escaped: {said}.", main, FALLS, [f"if {test}:", "return"])
            yield depth, f"yield from self.{until}({own})"
            yield from self._option(escape, depth, (after, leave), "")
            return
        self._require_staying(escape)
        way, back = self._helper("escape"), FALLS if after.part in ("", self._first) else After("return", after.part)
        guard = [f"if {test}:", f"yield from self.{way}({own})", "return"]
        self._write(until, f"Goes on to its end, unless it can be escaped: {said}.", main, back, guard)
        self.helpers[way] = [(2, f'"""The escape: {said}."""'), *self._option(escape, 2, (back, LEAVES), "")]
        yield depth, f"yield from self.{until}({own})"
        if after.word:
            yield depth, after.word

    def _helper(self, role: str) -> str:
        name = self._new_name(f"{self._kind.name}_{role}")
        self.helpers[name] = []
        return name

    def _write(self, name: str, told: str, main: Sequence[Item], after: After, guard: Sequence[str]) -> None:
        before, (test, *then) = self._guards, guard
        self._guards = [*before, (0, test), *((1, line) for line in then)]
        self.helpers[name] = [(2, f'"""{told}"""'), *self._sequence(main, 2, after)]
        self._guards = before

    @staticmethod
    def _require_staying(escape: Sequence[Item]) -> None:
        left = next(iter(leaving(escape)), None)
        if left is not None:
            remedy = "let the escape end, and jump behind it"
            raise Unsaid("a jump out of an escape of what may come to its end", left.span, remedy)

    def _require_plain(self, statement: s.Unless, main: Sequence[Item], escape: Sequence[Item]) -> None:
        left = next(iter(leaving(main)), None)
        if left is not None:
            said = "a jump out of what may be escaped by unless, or inside of it"
            raise Unsaid(said, left.span, "write it with if and do, and let the escape be what leaves it")
        for item in all_of(main):
            if isinstance(item.statement, s.Unless):
                raise Unsaid("unless inside of unless", item.statement.span, "write one unless with both escapes")
        entered = next((each for each in all_of([*main, *escape]) if self._part_of(each) is not None), None)
        if entered is not None:
            raise Unsaid("a jump into unless", entered.statement.span, "put the label before the braces")
        if any(each.statement in self._cut for each in all_of([*main, *escape])):
            raise Unsaid("a jump out of a loop in an escape", statement.span, "leave the loop by break first")
        first = escape[0].statement
        firsts = [first] if not isinstance(first, s.Choice) else [option[0] for option in first.options]
        met = next((each for each in firsts if self._statements.meets(each)), None)
        if met is not None:
            said = "an escape that begins with a rendezvous"
            raise Unsaid(said, met.span, "give the channel room for a message")

    def _yield(self, place: Element) -> str:
        label = self._places.label(place)
        return f'yield "{label}"' if label else "yield"

    # --- choices ------------------------------------------------------------------------------------------------------

    def _choice(self, choice: s.Choice, depth: int, after: After, leave: After) -> Lines:
        options = [list(items(option)) for option in choice.options]
        options.sort(key=lambda option: isinstance(option[0].statement, s.Else))
        firsts = [option[0].statement for option in options]
        for first in firsts if len(options) > 1 else ():
            if isinstance(first, s.Unless):
                said = "unless that one of several options begins with"
                raise Unsaid(said, first.span, "put a statement before its braces")
        for first in firsts:
            if isinstance(first, s.Choice) and any(isinstance(each[0], s.Else) for each in first.options):
                said = "an else in a choice that another one begins with"
                raise Unsaid(said, first.span, "put a statement before the inner choice")
        if len(options) == 1:
            yield from self._option(options[0], depth, (after, leave), None)
            return
        if told_apart(firsts):
            yield from self._branches(options, depth, (after, leave))
            return
        others = [first for first in firsts if not isinstance(first, s.Else)]
        for opening, option in zip(_openings(len(options)), options, strict=True):
            for deeper, text in opening:
                yield depth + deeper, text
            inner = depth + (1 if len(options) == 2 else 2)
            test = None
            if isinstance(option[0].statement, s.Else):
                able = self._statements.any_enabled(others)
                test = "False" if able is None else f"not ({able})"
            yield from self._option(option, inner, (after, leave), test)

    def _branches(self, options: Sequence[Sequence[Item]], depth: int, exits: tuple[After, After]) -> Lines:
        """Options of which at most one can be taken."""
        for option in options[:-1]:
            word = "if" if option is options[0] else "elif"
            yield depth, f"{word} {self._statements.enabled(option[0].statement) or True}:"
            yield from self._option(option, depth + 1, exits, "")
        yield depth, "else:"
        firsts = [option[0].statement for option in options]
        known = isinstance(firsts[-1], s.Else) or one_holds(firsts)
        yield from self._option(options[-1], depth + 1, exits, "" if known else None)

    def _option(self, option: Sequence[Item], depth: int, exits: tuple[After, After], test: str | None) -> Lines:
        """`test` is what its first statement waits for; "" if that is known, None if the statement says it."""
        after, leave = exits
        first = option[0].statement
        plain = isinstance(first, s.Choice | s.Goto | s.Break) or test is None
        if not plain:
            yield from waits(test or None, depth)
            option = option[1:]
            if option and self._begins_part(option[0]):
                yield from self._stepped(first, depth, self._later(option, after, leave))
                return
            yield from self._stepped(first, depth, self._after(option, after, leave))
            if not option or isinstance(option[0].statement, s.Goto | s.Break):
                return
        if after.part:
            yield from self._in_cut(option, depth, after, leave, plain)
        else:
            yield from self._sequence(option, depth, after, (), leave, opened=plain)

    def _in_cut(self, option: Sequence[Item], depth: int, after: After, leave: After, opened: bool) -> Lines:
        """An option of a choice that is cut: `break` is a jump there."""
        if any(each.statement in self._cut or self._part_of(each) is not None for each in option[1:]) or (
            option[0].statement in self._cut
        ):
            if repeats(option[0].statement):
                said = "a loop that an option begins with, and that a jump leaves"
                raise Unsaid(said, option[0].statement.span, "put a statement before the loop")
            yield from self._part(option, depth, after, leave)
        else:
            yield from self._sequence(option, depth, after, (), leave, opened)


def _openings(count: int) -> Iterator[list[tuple[int, str]]]:
    if count == 2:
        yield [(0, "if choose(True, False):")]
        yield [(0, "else:")]
        return
    for k in range(count):
        case = (1, f"case {k}:" if k + 1 < count else "case _:")
        yield [(0, f"match choose(range({count})):"), case] if k == 0 else [case]
