"""Statements of Promela as code of Python: when each can be executed, and what it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asset.frontends.promela import syntax as s
from asset.frontends.promela.code import source_text
from asset.frontends.promela.expressions import type_of
from asset.frontends.promela.in_python.channels import Group
from asset.frontends.promela.in_python.expressions import Expressions, given, grouped, negated, read
from asset.frontends.promela.in_python.expressions import taken as arguments_of
from asset.frontends.promela.in_python.meeting import Awaiting, meets
from asset.frontends.promela.in_python.names import Unsaid, quoted
from asset.frontends.promela.types import Basic

Lines = Iterator[tuple[int, str]]
"""Lines of code, each with its depth."""

UNNAMED = "names no channel here"
LOST = "this is a channel of a process that has ended"
BLOCKED = "a statement inside d_step cannot be executed"


class Statements:
    """Writes the statements of one process, without what follows them."""

    def __init__(
        self, expressions: Expressions, makers: dict[str, tuple[str, tuple[Basic, ...]]], awaiting: Awaiting
    ) -> None:
        self.expressions = expressions
        self._awaiting = awaiting
        self._makers = makers
        """The method that makes a process of each proctype, and the types of its parameters."""

    @property
    def provided(self) -> str | None:
        """What must hold for the process to take any step."""
        return self.expressions.provided()

    def also_provided(self, test: str | None) -> str | None:
        """What must hold as well as the test."""
        given = self.provided
        if given is None or test is None or test == "False":
            return given if test is None else test
        return " and ".join(f"({each})" if " or " in each else each for each in (given, test))

    # --- when ---------------------------------------------------------------------------------------------------------

    def enabled(self, statement: s.Stmt) -> str | None:
        """What must hold for it to be executed; None if it always can."""
        match statement:
            case s.Condition(value=s.Run()):
                return None
            case s.Condition(value=value):
                test = self.expressions.test(value).code
                return None if test == "True" else test
            case s.Send() | s.Receive() if not self.expressions.channels.names_some(statement.channel):
                return None  # to try it is an error
            case s.Send() if self.meets(statement):
                return self._awaiting.test(statement, self.expressions)
            case s.Receive() if self.meets(statement):
                return "False"  # it is the sender that goes on
            case s.Send(channel=channel):
                full = self.expressions.full(channel)
                return full.replace("==", "<") if "==" in full else f"not {full}"
            case s.Receive():
                return self.expressions.there(statement)
            case s.Labelled(statement=inner):
                return self.enabled(inner)
            case s.Sequence(body=body):
                return self.enabled(body[0])
            case s.Choice():
                return self.any_enabled([option[0] for option in statement.options])
            case s.Unless(main=main, escape=escape):
                return self.any_enabled([main[0], escape[0]])
            case s.SetPriority() | s.Event():
                raise Unsaid("a priority that is changed", statement.span, "give it to the process when it is made")
        return None

    def enabled_at_once(self, statement: s.Stmt) -> str | None:
        """The same in the midst of a step: there is no timeout then."""
        before, self.expressions.timeout = self.expressions.timeout, "False"
        found = self.enabled(statement)
        self.expressions.timeout = before
        return found

    def any_enabled(self, firsts: Sequence[s.Stmt]) -> str | None:
        """Whether one of the statements can be executed; `else` is one that always can be if no other one is."""
        tests = [self.enabled(first) for first in firsts]
        if any(test is None for test in tests):
            return None
        tests = [test for test in tests if test != "False"] or ["False"]
        return " or ".join(f"({test})" if " and " in test else test for test in tests if test is not None)

    def does_nothing(self, condition: s.Condition) -> bool:
        return not isinstance(condition.value, s.Run) and self.enabled(condition) is None

    def meets(self, statement: s.Stmt | None) -> bool:
        return meets(self.expressions.channels, statement)

    # --- what ---------------------------------------------------------------------------------------------------------

    def effect(self, statement: s.Stmt, depth: int) -> Lines:
        match statement:
            case s.Condition(value=s.Run() as run):
                yield depth, self._run(run)
            case s.Assign(target=target, value=value):
                yield from self._assign(target, value, depth)
            case s.Send() | s.Receive() if not self.expressions.channels.names_some(statement.channel):
                yield depth, f"raise ValueError({quoted(f'{source_text(statement.channel.span)} {UNNAMED}')})"
            case s.Send():
                yield from self._send(statement, depth)
            case s.Receive():
                yield from self._receive(statement, depth)
            case s.Assert(value=value):
                said = f"the assertion failed: {source_text(value.span)}"
                yield depth, f"assert {self.expressions.test(value).code}, {quoted(said)}"
            case s.Print() | s.Discard():
                yield depth, f"pass  # {source_text(statement.span)}"

    def _assign(self, target: s.Reference, value: s.Expr, depth: int) -> Lines:
        type, write = type_of(target), self.expressions
        if not isinstance(type, Basic):
            raise Unsaid("a structure as a value", target.span, "assign its fields one by one")
        new = self._run(value) if isinstance(value, s.Run) else write.passed(value, type)
        yield depth, f"{write.variable(target)} = {new}"

    def _run(self, e: s.Run) -> str:
        if e.process not in self._makers:
            raise Unsaid(f"run {e.process}, which is never come to", e.span, "leave it out")
        name, parameters = self._makers[e.process]
        pairs = zip(e.arguments, parameters, strict=True)
        values = [self.expressions.passed(argument, type) for argument, type in pairs]
        return f"self.{name}({', '.join(values)})"

    def _send(self, e: s.Send, depth: int) -> Lines:
        queue, group = self.expressions.channel(e.channel)
        if group.capacity == 0:
            yield from self._meeting_astray(e, depth)
        for test in self.expressions.makers_there(e.channel) if group.capacity else ():
            yield depth, f"assert {test}, {quoted(LOST)}"
        yield from self._unclaimed(e, depth)
        fields = self.expressions.channels.fields(e.channel)
        values = [self.expressions.passed(*pair) for pair in zip(given(e, group), fields, strict=True)]
        yield depth, f"{queue}.{'put' if group.capacity else 'send'}({grouped(values)})"
        if group.capacity == 0:
            return
        if e.in_order:
            yield depth, f"k = len({queue}) - 1  # before those that are greater"
            yield depth, f"while k > 0 and {queue}[k - 1] > {queue}[k]:"
            yield depth + 1, f"{queue}[k - 1], {queue}[k] = {queue}[k], {queue}[k - 1]"
            yield depth + 1, "k -= 1"

    def _receive(self, e: s.Receive, depth: int) -> Lines:
        queue, group = self.expressions.channel(e.channel)
        if group.capacity == 0:
            yield from self._met(e, queue, group, depth)
            return
        yield from self._unclaimed(e, depth)
        taken = f"{queue}.peek()" if e.keeps else f"{queue}.get()"
        if e.anywhere and self.expressions.matches(e, group, ""):
            yield depth, "k = 0  # the first message that matches"
            yield depth, f"while {negated(self.expressions.matches(e, group, f'{queue}[k]'))}:"
            yield depth + 1, "k += 1"
            taken = f"{queue}[k]" if e.keeps else f"{queue}.get(k)"
        if all(target is None for target in self._targets(e, group)):
            if not e.keeps:
                yield depth, taken
        else:
            yield from self._stored(e, group, taken, depth)

    def _targets(self, e: s.Receive, group: Group) -> list[tuple[str, str] | None]:
        pairs = zip(arguments_of(e, group), group.fields, strict=True)
        return [self._target(argument, field) for argument, field in pairs]

    def _stored(self, e: s.Receive, group: Group, taken: str, depth: int) -> Lines:
        """The fields of the message go to variables."""
        targets = self._targets(e, group)
        if len(targets) == 1:
            assert targets[0] is not None
            target, fitted = targets[0]
            yield depth, f"{target} = {fitted.format(taken)}"
        elif all(target is None or target[1] == "{}" for target in targets):
            yield depth, f"{', '.join('_' if each is None else each[0] for each in targets)} = {taken}"
        else:
            yield depth, f"message = {taken}"
            for k, each in enumerate(targets):
                if each is not None:
                    yield depth, f"{each[0]} = {each[1].format(f'message[{k}]')}"

    # --- rendezvous ---------------------------------------------------------------------------------------------------

    def _met(self, e: s.Receive, channel: str, group: Group, depth: int) -> Lines:
        """What the receiver does with what is sent in the same step."""
        if e.keeps:
            raise Unsaid("a look at the messages of a rendezvous", e.span, "give the channel room for a message")
        yield from self._meeting_astray(e, depth)
        received, targets = f"{channel}.receive()", self._targets(e, group)
        plain = all(target is None or target[1] == "{}" for target in targets)
        matched, claims = self.expressions.matches(e, group, "message"), list(self._unclaimed(e, depth))
        if not matched and all(target is None for target in targets):
            yield from ((depth, received), *claims)
        elif not matched and plain and not claims:
            yield from self._stored(e, group, received, depth)
        else:
            yield depth, f"message = {received}"
            yield from waits(matched or None, depth)
            yield from claims
            if any(target is not None for target in targets):
                yield from self._stored(e, group, "message", depth)

    def _meeting_astray(self, e: s.Send | s.Receive, depth: int) -> Lines:
        """It is an error to try a channel that is not there, whoever waits for it."""
        none = self.expressions.names_none(e.channel)
        if none is not None:
            yield depth, f"if {none}:"
            yield depth + 1, f"raise ValueError({quoted(f'{source_text(e.channel.span)} {UNNAMED}')})"
        for test in self.expressions.makers_there(e.channel) if isinstance(e, s.Send) else ():
            yield depth, f"if {negated(test)}:"
            yield depth + 1, f"raise ValueError({quoted(LOST)})"

    def _unclaimed(self, e: s.Send | s.Receive, depth: int) -> Lines:
        for test, said in self.expressions.unclaimed(e):
            yield depth, f"assert {test}, {quoted(said)}"

    def _target(self, argument: s.Argument, field: Basic) -> tuple[str, str] | None:
        """The variable that gets a field, and what it gets of it."""
        if argument.matched or argument.value is None:
            return None
        assert isinstance(argument.value, s.Reference)
        type = type_of(argument.value)
        if not isinstance(type, Basic):
            raise Unsaid("a structure as a value", argument.span, "receive its fields one by one")
        if (type.kind == "chan") != (field.kind == "chan"):
            raise Unsaid("a number as a channel", argument.span, "receive it into a variable of the field's type")
        return self.expressions.variable(argument.value), self.expressions.fitted(read("{}", field), type)

    # --- d_step -------------------------------------------------------------------------------------------------------

    def at_once(self, body: Sequence[s.Stmt], depth: int, first: bool = False) -> Lines:
        """The body of a d_step: of several options, the first that can be taken is taken."""
        for k, statement in enumerate(body):
            if self.meets(statement):
                raise Unsaid("rendezvous in d_step", statement.span, "write atomic")
            match statement:
                case s.Sequence(body=inner):
                    yield from self.at_once(inner, depth, first and k == 0)
                case s.Choice():
                    yield from self._taken_first(statement, depth)
                case s.Break():
                    yield depth, "break"
                case s.Goto() | s.Labelled():
                    raise Unsaid("a jump or a label inside d_step", statement.span, "write atomic")
                case _:
                    test = self.enabled(statement)
                    if test is not None and not (first and k == 0):
                        yield depth, f"assert {test}, {quoted(BLOCKED)}"
                    yield from self.effect(statement, depth)

    def _taken_first(self, choice: s.Choice, depth: int) -> Lines:
        if choice.repeats:
            yield depth, "while True:"
            depth += 1
        ordered = sorted(choice.options, key=lambda option: isinstance(option[0], s.Else))
        for k, option in enumerate(ordered):
            test = self.enabled(option[0])
            if test is None:
                yield depth, "else:" if k else "if True:"
            else:
                yield depth, f"{'elif' if k else 'if'} {test}:"
            yield from self.at_once(option, depth + 1, first=True)
            if test is None:
                return
        yield depth, "else:"
        yield depth + 1, f"assert False, {quoted(BLOCKED)}"


def waits(test: str | None, depth: int) -> Lines:
    if test is not None:
        yield depth, f"when({test})"


def interrupted(test: str | None, depth: int, yielding: str) -> Lines:
    """An atomic sequence that cannot go on is interrupted."""
    if test == "False":
        yield depth, yielding
    elif test is not None:
        yield depth, f"if {negated(test)}:"
        yield depth + 1, yielding
