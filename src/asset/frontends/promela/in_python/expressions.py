"""Expressions of Promela as text of Python, with the least and the greatest value that each can have."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard, TypeVar

from asset.frontends.promela import syntax as s
from asset.frontends.promela.constants import OPERATORS, constant
from asset.frontends.promela.evaluating import fields_of
from asset.frontends.promela.exclusive_use import Claims
from asset.frontends.promela.expressions import type_of
from asset.frontends.promela.in_python.channels import Channels, Group
from asset.frontends.promela.in_python.deciding import failing
from asset.frontends.promela.in_python.names import Names, Unsaid
from asset.frontends.promela.in_python.places import Places, range_of
from asset.frontends.promela.in_python.values import Values, is_bool
from asset.frontends.promela.layout import Kind
from asset.frontends.promela.types import CHAN, INT, Basic, Structure, Type
from asset.span import NOWHERE, Span

A = TypeVar("A")

_LEVELS = (("or",), ("and",), ("not",), ("==", "!=", "<", "<=", ">", ">="), ("|",), ("^",), ("&",), ("<<", ">>"))
_BINDS = {op: k for k, level in enumerate((*_LEVELS, ("+", "-"), ("*", "//", "%"))) for op in level}
_UNARY, _ATOM = len(_LEVELS) + 2, len(_LEVELS) + 3
_COMPARING = _BINDS["=="]


@dataclass(frozen=True, slots=True)
class Text:
    """Code, how tightly its outermost operator binds, and bounds of its values."""

    code: str
    binds: int
    lo: int
    hi: int
    truth: bool = False
    """Whether it is a bool of Python."""

    def within(self, level: int) -> str:
        return self.code if self.binds >= level else f"({self.code})"


def atom(code: str, lo: int, hi: int) -> Text:
    return Text(code, _ATOM, lo, hi)


def read(code: str, type: Basic) -> Text:
    """A cell of that type."""
    return Text(code, _ATOM, type.lo, type.hi, is_bool(type))


def truth(code: str, op: str) -> Text:
    return Text(code, _BINDS[op], 0, 1, True)


class Expressions:
    """Writes the expressions of one process, or of what looks at all of them (no kind)."""

    def __init__(
        self,
        names: Names,
        channels: Channels,
        values: Values,
        kind: Kind | None,
        helpers: set[str],
    ) -> None:
        self.names = names
        self.channels = channels
        self.places: Mapping[str, Places] = {}
        """Where other processes are, by their proctypes."""
        self.claims: Claims = {}
        self.timeout = ""
        """How a timeout is asked for; empty if it is not."""
        self.kind = kind
        self.pid = "pid"
        """What the number of the process is called, if there are several of its kind."""
        self.values = values
        self._helpers = helpers
        """The functions that the module needs."""

    # --- what is stored -----------------------------------------------------------------------------------------------

    def number(self, e: s.Expr) -> Text:
        """The expression as a number."""
        found = self._value(e)
        return Text(f"int({found.code})", _ATOM, 0, 1) if found.truth else found

    def fitted(self, found: Text, type: Basic) -> str:
        """What a variable of the type has after the value was assigned to it."""
        if is_bool(type):
            return self._fitted_truth(found)
        if found.truth:
            found = Text(f"int({found.code})", _ATOM, 0, 1)
        if found.lo == found.hi and self.values.domain(type):
            return self.values.constant(type, type.wrapped(found.lo))
        if type.lo <= found.lo and found.hi <= type.hi:
            return found.code
        if not type.signed:
            return f"{found.within(_BINDS['*'])} % {1 << type.bits}"
        self._helpers.add(f"as_{type.kind}")
        return f"as_{type.kind}({found.code})"

    def _fitted_truth(self, found: Text) -> str:
        if found.truth:
            return found.code
        if found.lo == found.hi:
            return str(bool(found.lo % 2))
        if (found.lo, found.hi) == (0, 1):
            return f"{found.within(_COMPARING + 1)} == 1"
        return f"{found.within(_BINDS['*'])} % 2 == 1"

    def test(self, e: s.Expr) -> Text:
        """The expression as a condition."""
        found = self._value(e)
        if found.truth:
            return found
        if found.code.lstrip("-").isdigit():
            return atom(str(int(found.code) != 0), 0, 1)
        return found if (found.lo, found.hi) == (0, 1) else truth(f"{found.within(_COMPARING + 1)} != 0", "!=")

    def provided(self) -> str | None:
        """What must hold for the process to take any step, if its proctype says so."""
        given = None if self.kind is None else self.kind.process.provided
        return None if given is None else self.test(given).code

    def own(self) -> str:
        """The index of the process among those of its kind, in brackets; nothing if it is the only one."""
        if self.kind is None or self.kind.single:
            return ""
        return f"[{shifted(self.pid, -self.kind.pids[0])}]"

    def variable(self, e: s.Reference) -> str:
        if e.declaration.owner is not None and self.kind is None:
            raise Unsaid("a variable of a process, where none is named", e.span, "name it: P[0]:x")
        return self._cell(e, self.own() if e.declaration.owner is not None else "")

    def _cell(self, e: s.Reference, own: str) -> str:
        """The variable of the process that has the index."""
        text = f"self.{self.names.of(e.declaration)}{own}{self._at(e.declaration.length, e.index)}"
        found: Type | None = e.declaration.type
        for part in e.parts:
            member = found.member(part.name) if isinstance(found, Structure) else None
            assert member is not None
            text += f".{part_name(part.name)}{self._at(member.length, part.index)}"
            found = member.type
        return text

    def _at(self, length: int | None, index: s.Expr | None) -> str:
        if length is None:
            return ""
        return f"[{0 if index is None else self.number(index).code}]"

    # --- channels as values -------------------------------------------------------------------------------------------

    def channel(self, e: s.Reference) -> tuple[str, Group]:
        """The queue of the channel, and those that are like it."""
        group = self.channels.group(e)
        return f"self.{group.name}[{self._place(e)}]" if group.is_array else f"self.{group.name}", group

    def _place(self, e: s.Reference) -> str:
        """Where the channel is in its group."""
        if not self.channels.is_made_by(e.declaration):
            return shifted(self.variable(e), -1)
        if e.declaration.owner is not None and self.kind is None:
            raise Unsaid("a variable of a process, where none is named", e.span, "name it: P[0]:x")
        index = "0" if e.index is None else self.number(e.index).code
        return self.channels.place(e, self._pid(), index)

    def full(self, e: s.Reference) -> str:
        """Whether the channel is full."""
        queue, group = self.channel(e)
        if not group.room:
            return f"{queue}.full()"
        place = self._place(e)
        return f"len({queue}) == {group.capacities[int(place)] if place.isdigit() else f'{group.room}[{place}]'}"

    def place_of(self, maker: s.Declaration, k: int) -> str:
        """Where channel k of those that the declaration makes for this process is in its group."""
        return self.channels.place(s.Reference(maker.span, maker), self._pid(), str(k))

    def _pid(self) -> str:
        return self._value(s.Predefined(NOWHERE, "_pid")).code if self.kind else ""

    def named(self, e: s.Reference) -> str:
        """The number of the channel in its group."""
        if not self.channels.is_made_by(e.declaration):
            return self.variable(e)
        return shifted(self._place(e), 1)

    def names_none(self, e: s.Reference) -> str | None:
        """Whether the variable names no channel; None if it always names one."""
        return f"{self.variable(e)} == 0" if self.channels.may_name_none(e) else None

    def makers_there(self, e: s.Reference) -> Iterator[str]:
        """Tests for the makers of the channel to be there: to send to a channel of one that has ended is an error."""
        if self.channels.is_made_by(e.declaration):
            return
        group, number = self.channels.group(e), self.named(e)
        for made, kind in self.channels.owners(group).items():
            places = self.places[kind.name]
            if not places.can_end or kind.pids[-1] == 0:  # process 0 is the last to end
                continue
            length = made.length or 1
            first, last = group.firsts[made] + 1, group.firsts[made] + len(kind.pids) * length
            maker = shifted(number, kind.pids[0] - first)
            if length > 1:
                maker = shifted(f"({shifted(number, -first)}) // {length}", kind.pids[0])
            there = places.is_there(maker)
            yield there if last - first + 1 == group.count else f"not {first} <= {number} <= {last} or {there}"

    def unclaimed(self, e: s.Send | s.Receive) -> Iterator[tuple[str, str]]:
        """Tests for no other process to claim the channel, each with the claim."""
        word = "xs" if isinstance(e, s.Send) else "xr"
        for name, claims in self.claims.items():
            places = self.places.get(name)
            if places is None or (places.kind is self.kind and self.kind.single):
                continue
            for claim, reference in claims:
                if claim == word and self.channels.may_be_same(e.channel, reference):
                    said = f"{word} {reference.declaration.name} of {name} claims this channel for another process"
                    yield self._claimed_by_none(places, reference, self.named(e.channel)), said

    def _claimed_by_none(self, places: Places, claimed: s.Reference, number: str) -> str:
        """Whether no process of the kind but for this one claims it. Variables of those that are not there are 0."""
        kind = places.kind
        if self.channels.is_made_by(claimed.declaration):
            if claimed.declaration.owner is not None or claimed.index is not None or not kind.single:
                said = "xr and xs of an element of an array, or of one channel by several processes"
                raise Unsaid(said, claimed.span, "leave them out: nothing but a check relies on them")
            same = self.named(claimed)
            return f"{number} != {same} or not {places.is_there('')}".removeprefix(f"{same} != {same} or ")
        own = "" if kind.single else "[k]"
        test = f"{self._cell(claimed, own)} != {number}"
        if kind.single:
            return test
        others = f" if k != {shifted(self.pid, -kind.pids[0])}" if kind is self.kind else ""
        return f"all({test} for k in range({len(kind.pids)}){others})"

    def passed(self, e: s.Expr, type: Basic) -> str:
        """What a variable, a parameter or a field of the type gets of the value."""
        if type.kind != "chan":
            return self.fitted(self._value(e), type)
        if isinstance(e, s.Number) and not e.value:
            return "0"
        if not _is_channel(e):
            raise Unsaid("a number as a channel", e.span, "use a variable of type chan")
        return self.named(e)

    # --- values -------------------------------------------------------------------------------------------------------

    def _value(self, e: s.Expr) -> Text:
        match e:
            case s.Number(value=value, name=name):
                return self._constant(value, name)
            case s.Reference():
                return self._reference(e)
            case s.Predefined(name="_pid") if self.kind is not None:
                first, last = self.kind.pids[0], self.kind.pids[-1]
                return atom(str(first), first, first) if self.kind.single else atom(self.pid, first, last)
            case s.Predefined(name="timeout") if self.timeout:
                return Text(self.timeout, _ATOM, 0, 1, True)
            case s.Predefined(name="_nr_pr"):
                return atom("self.nr_pr", 0, 255)
            case s.Unary() | s.Binary() if (known := constant(e)) is not None:
                return self._constant(known, None)
            case s.Unary():
                return self._unary(e)
            case s.Binary():
                return self._binary(e)
            case s.Conditional():
                test, then, orelse = self.test(e.test), self.number(e.then), self.number(e.orelse)
                code = f"{then.code} if {test.code} else {orelse.code}"
                return Text(code, -1, min(then.lo, orelse.lo), max(then.hi, orelse.hi))
            case s.ChannelQuery():
                return self._query(e)
            case s.Poll():
                found = self.there(e)
                return truth(found, "not" if found.startswith("any(") or " and " not in found else "and")
            case s.RemoteLabel():
                return self._remote_label(e)
            case s.RemoteVariable():
                return self._remote_variable(e)
        told = f"{e.query}(…)" if isinstance(e, s.OfProcess) else getattr(e, "name", "this expression")
        raise Unsaid(f"{told}, which looks at all processes", e.span, "write a condition of variables instead")

    # --- other processes ----------------------------------------------------------------------------------------------

    def _other(self, e: s.RemoteLabel | s.RemoteVariable) -> tuple[Places, Text]:
        """The kind of the process that is meant, and its number."""
        places = self.places.get(e.process)
        if places is None:
            raise Unsaid(f"{e.process}, of which there is no process", e.span, "leave it out, or make one")
        if self.kind is places.kind and any(
            step.atomic for steps in self.kind.control.steps.values() for step in steps
        ):
            said = "a process with atomic sequences that asks about its own kind, where it may be in one"
            raise Unsaid(said, e.span, "keep in a variable where it is")
        if e.number is not None:
            return places, self.number(e.number)
        if not places.first_is_least:
            said = f"{e.process} without a number, the first of several processes that are run"
            raise Unsaid(said, e.span, f"write {e.process}[n], n being the number of the process")
        return places, Text(str(places.kind.pids[0]), _ATOM, places.kind.pids[0], places.kind.pids[0])

    def _remote_label(self, e: s.RemoteLabel) -> Text:
        places, pid = self._other(e)
        place, pids = places.kind.control.labels.get(e.label), places.kind.pids
        if place is None or not place.number or pid.hi < pids[0] or pid.lo > pids[-1]:
            return Text("False", _ATOM, 0, 0, True)
        if pid.lo < pid.hi:
            there = places.at(places.named(e.label), "k")
            number = pid.within(_COMPARING + 1)
            code = f"any(k == {number} and {there} for k in {range_of(pids)})"
            return Text(code, _ATOM, 0, 1, True)
        found = places.at(places.named(e.label), pid.code)
        return truth(found, "not") if found.startswith("not ") else Text(found, _ATOM, 0, 1, True)

    def _remote_variable(self, e: s.RemoteVariable) -> Text:
        places, pid = self._other(e)
        pids = places.kind.pids
        declaration = next((d for d in places.kind.process.locals if d.name == e.name), None)
        if declaration is None or pid.hi < pids[0] or pid.lo > pids[-1]:
            raise Unsaid(f"{e.process}:{e.name}, which no process has", e.span, "name a variable of the proctype")
        reference = s.Reference(e.span, declaration, e.index, e.parts)
        type = type_of(reference)
        if not isinstance(type, Basic) or type.kind == "chan":
            raise Unsaid("a channel or a structure as a number", e.span, "use a variable of its own for the number")
        at = str(pid.lo - pids[0]) if pid.lo == pid.hi else shifted(pid.within(_BINDS["+"]), -pids[0])
        cell = self._cell(reference, "" if places.kind.single else f"[{at}]")
        if pids[0] <= pid.lo and pid.hi <= pids[-1]:
            return read(cell, type)
        nothing = self.values.constant(type, 0)
        code = f"{cell} if {pids[0]} <= {pid.within(_COMPARING + 1)} <= {pids[-1]} else {nothing}"
        return Text(code, -1, min(type.lo, 0), max(type.hi, 0), is_bool(type))

    def _constant(self, value: int, name: str | None) -> Text:
        if name is None:
            return Text(str(value), _ATOM if value >= 0 else _UNARY, value, value)
        return atom(self.values.named(name) or str(value), value, value)

    def _reference(self, e: s.Reference) -> Text:
        type = type_of(e)
        if not isinstance(type, Basic) or type.kind == "chan":
            raise Unsaid("a channel or a structure as a number", e.span, "use a variable of its own for the number")
        return read(self.variable(e), type)

    def _unary(self, e: s.Unary) -> Text:
        if e.op == "!":
            other = opposite(self.test(e.operand).code)
            if other is not None:
                return truth(other, "==")
            return truth(f"not {self.test(e.operand).within(_BINDS['not'])}", "not")
        operand = self.number(e.operand)
        if e.op == "-":
            return self._as_int(Text(f"-{operand.within(_UNARY)}", _UNARY, -operand.hi, -operand.lo))
        return Text(f"~{operand.within(_UNARY)}", _UNARY, ~operand.hi, ~operand.lo)

    def _binary(self, e: s.Binary) -> Text:
        if e.op in ("&&", "||"):
            word = "and" if e.op == "&&" else "or"
            left, right = self.test(e.left), self.test(e.right)
            if e.op == "||" and "False" in (left.code, right.code):
                return right if left.code == "False" else left
            if e.op == "&&" and (left.code == "False" or (right.code == "False" and not any(failing(e.left)))):
                return Text("False", _ATOM, 0, 0, True)
            level = _BINDS["not"] if word == "or" else _BINDS["and"]  # `and` inside of `or` is easily misread
            sides = [side.code if side.binds == _BINDS[word] else side.within(level) for side in (left, right)]
            return truth(f" {word} ".join(sides), word)
        if _is_channel(e.left) and _is_channel(e.right) and self.channels.group(e.left) is self.channels.group(e.right):
            return truth(f"{self.named(e.left)} {e.op} {self.named(e.right)}", e.op)
        if e.op in ("==", "!="):
            return _compared(e.op, self._value(e.left), self._value(e.right))
        left, right = self.number(e.left), self.number(e.right)
        if e.op in ("<", "<=", ">", ">="):
            return truth(f"{left.within(_COMPARING + 1)} {e.op} {right.within(_COMPARING + 1)}", e.op)
        if e.op in ("/", "%"):
            return self._division(e.op, left, right)
        code = f"{left.within(_BINDS[e.op])} {e.op} {right.within(_BINDS[e.op] + 1)}"
        if e.op in ("&", "|", "^"):
            most = (1 << max(left.hi, right.hi).bit_length()) - 1
            bounds = (0, most) if min(left.lo, right.lo) >= 0 else (INT.lo, INT.hi)
            return Text(code, _BINDS[e.op], *bounds)
        if e.op in ("<<", ">>"):
            return self._shift(e.op, code, left, right, e.right.span)
        corners = [OPERATORS[e.op](a, b) for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
        return self._as_int(Text(code, _BINDS[e.op], min(corners), max(corners)))

    def _shift(self, op: str, code: str, left: Text, right: Text, right_at: Span) -> Text:
        if not 0 <= right.lo <= right.hi <= 31:
            raise Unsaid("a shift by what may be no number from 0 to 31", right_at, "shift by an unsigned variable")
        if op == ">>":
            return Text(code, _BINDS[op], min(left.lo, 0), max(left.hi, 0))
        least, most = min(left.lo << right.hi, left.lo), max(left.hi << right.hi, left.hi)
        return self._as_int(Text(code, _BINDS[op], least, most))

    def _division(self, op: str, left: Text, right: Text) -> Text:
        """C rounds towards 0."""
        if left.lo >= 0 and right.lo >= 0:
            written = "//" if op == "/" else "%"
            most = left.hi if op == "/" else min(left.hi, max(right.hi - 1, 0))
            return Text(f"{left.within(_BINDS['*'])} {written} {right.within(_BINDS['*'] + 1)}", _BINDS["*"], 0, most)
        name, most = "quotient" if op == "/" else "remainder", max(abs(left.lo), abs(left.hi))
        self._helpers.add(name)
        return self._as_int(atom(f"{name}({left.code}, {right.code})", -most, most))

    def _as_int(self, found: Text) -> Text:
        return found if INT.lo <= found.lo and found.hi <= INT.hi else atom(self.fitted(found, INT), INT.lo, INT.hi)

    # --- channels -----------------------------------------------------------------------------------------------------

    def _query(self, e: s.ChannelQuery) -> Text:
        queue, group = self.channel(e.channel)
        if group.capacity == 0:
            if e.query == "len":
                return atom("0", 0, 0)
            return Text(str(e.query in ("empty", "nfull")), _ATOM, 0, 1, True)
        if e.query == "len":
            return atom(f"len({queue})", 0, group.capacity)
        full = e.query in ("full", "nfull")
        if full and group.room:
            asked = self.full(e.channel)
            return truth(asked.replace("==", "<") if e.query == "nfull" else asked, "==")
        asked = f"{queue}.{'full' if full else 'empty'}()"
        return truth(f"not {asked}", "not") if e.query.startswith("n") else Text(asked, _ATOM, 0, 1, True)

    def there(self, e: s.Receive | s.Poll) -> str:
        """Whether there is a message that the receive takes."""
        queue, group = self.channel(e.channel)
        if group.capacity == 0:
            raise Unsaid("a look at the messages of a rendezvous", e.span, "give the channel room for a message")
        if e.anywhere and self.matches(e, group, ""):
            return f"any({self.matches(e, group, f'{queue}[k]')} for k in range(len({queue})))"
        tests = [f"not {queue}.empty()", self.matches(e, group, f"{queue}.peek()")]
        return " and ".join(test for test in tests if test)

    def matches(self, e: s.Receive | s.Poll, group: Group, message: str) -> str:
        """Whether the message has the values that the receive asks for; empty if it asks for none."""
        single, tests = len(group.fields) == 1, []
        for k, argument in enumerate(taken(e, group)):
            if argument.matched and argument.value is not None:
                part = message if single else f"{message}[{k}]"
                if group.fields[k].kind == "chan":
                    tests.append(f"{part} == {self.passed(argument.value, group.fields[k])}")
                else:
                    tests.append(_compared("==", read(part, group.fields[k]), self._value(argument.value)).code)
        return " and ".join(tests)


def _compared(op: str, left: Text, right: Text) -> Text:
    """Whether the two are equal, or not. What is compared with a constant truth is itself a truth."""
    for one, other in ((left, right), (right, left)):
        if one.truth and other.code in ("0", "1"):
            if (other.code == "1") == (op == "=="):
                return one
            return truth(f"not {one.within(_BINDS['not'])}", "not")
    return truth(f"{left.within(_COMPARING + 1)} {op} {right.within(_COMPARING + 1)}", op)


def _is_channel(e: s.Expr) -> TypeGuard[s.Reference]:
    return isinstance(e, s.Reference) and type_of(e) == CHAN


def taken(e: s.Receive | s.Poll, group: Group) -> list[s.Argument]:
    """An argument for each number of the message."""
    found: list[s.Argument] = []
    for argument in e.arguments:
        if isinstance(argument.value, s.Reference) and isinstance(type_of(argument.value), Structure):
            found += [s.Argument(argument.span, part, argument.matched) for part in fields_of(argument.value)]
        else:
            found.append(argument)
    if isinstance(e, s.Poll):  # what is left out is anything
        found += [s.Argument(e.span, None, False)] * (len(group.fields) - len(found))
    return _as_many(found, group, e.span)


def given(e: s.Send, group: Group) -> list[s.Expr]:
    """What is sent for each number of the message."""
    found: list[s.Expr] = []
    for argument in e.arguments:
        if isinstance(argument, s.Reference) and isinstance(type_of(argument), Structure):
            found += fields_of(argument)
        else:
            found.append(argument)
    return _as_many(found, group, e.span)


def _as_many(found: list[A], group: Group, span: Span) -> list[A]:
    if len(found) != len(group.fields):
        said = f"a message with {len(found)} fields, where the channel has {len(group.fields)}"
        raise Unsaid(said, span, "write as many fields as the channel has")
    return found


def part_name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) or name in ("copy", "self") else name


def shifted(text: str, by: int) -> str:
    """The number more than the text says; a constant at its end is added to."""
    if text.isdigit():
        return str(int(text) + by)
    match = re.fullmatch(r"(.*[^ ]) ([+-]) (\d+)", text)
    if match is not None and "*" not in text and "(" not in text:
        text, by = match[1], by + int(match[2] + match[3])
    return text if by == 0 else f"{text} {'+' if by > 0 else '-'} {abs(by)}"


def grouped(values: Sequence[str]) -> str:
    """A message: its only field, or a tuple."""
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COMPARED = re.compile(r"(?<= )(==|!=|<=|>=|<|>)(?= )")


def opposite(code: str) -> str | None:
    """The opposite of one comparison; None if the code is something else."""
    found = _COMPARED.findall(code)
    if len(found) != 1 or re.search(r"\b(and|or|not|if|for)\b|[\"']", code):
        return None
    before = code[: code.index(f" {found[0]} ")]
    outside = all(before.count(left) == before.count(right) for left, right in ("()", "[]"))
    return _COMPARED.sub(_OPPOSITES[found[0]], code) if outside else None


def negated(test: str) -> str:
    """The opposite of a condition, as short as it can be told."""
    other = opposite(test)
    if other is not None:
        return other
    if test.startswith("not ") and " and " not in test and " or " not in test:
        return test.removeprefix("not ")
    plain = all(character.isalnum() or character in "._[]()" for character in test)
    return f"not {test}" if plain else f"not ({test})"
