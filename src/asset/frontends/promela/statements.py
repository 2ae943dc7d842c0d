"""Parsing the bodies of processes: statements, declarations, and inlines, whose text is put in place of their calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import prod

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.constants import constant
from asset.frontends.promela.expressions import ExpressionParser, Scope, embedded, type_of, undeclared
from asset.frontends.promela.lexing import Kind, Token
from asset.frontends.promela.token_stream import Misplaced, TokenStream
from asset.frontends.promela.types import BYTE, CHAN, INT, WORDS, Basic, Structure, Type, leaves
from asset.span import Span

MOST_INLINES = 2000
"""Calls of inlines in one model; more are taken to be inlines that call each other."""

CHOSEN = 32
"""A `select` of values that differ by at most so much is a choice of assignments, otherwise a loop."""

LONGEST_ARRAY = 65_536

LARGEST_CHANNEL = 1024

MOST_ERRORS = 20
"""Errors that are told at once; behind so many, nothing is read."""


@dataclass(frozen=True, slots=True)
class Inline:
    parameters: tuple[str, ...]
    body: tuple[Token, ...]


class StatementParser(ExpressionParser):
    """Parses sequences of statements. The declarations of a process are collected in `locals`."""

    def __init__(self, stream: TokenStream, scope: Scope) -> None:
        super().__init__(stream, scope)
        self.inlines: dict[str, Inline] = {}
        self.owner: str | None = None
        self.locals: list[s.Declaration] = []
        self.in_trace = False
        self.errors: list[Diagnostic] = []
        """Of statements, while what comes behind them is read."""
        self._beginning = True
        self._expanded = 0
        self._statements: dict[str, Callable[[], list[s.Stmt]]] = {
            "if": lambda: [self._choice("fi")],
            "do": lambda: [self._choice("od")],
            "for": self._for,
            "select": self._select,
            "atomic": lambda: [self._sequence("atomic")],
            "d_step": lambda: [self._sequence("d_step")],
            "{": lambda: [self._sequence("")],
            "goto": lambda: [self._goto()],
            "break": lambda: [s.Break(self.stream.next().span)],
            "else": lambda: [s.Else(self.stream.next().span)],
            "assert": lambda: [self._assert()],
            "printf": lambda: [self._print()],
            "printm": lambda: [self._print()],
            "set_priority": lambda: [self._set_priority()],
            "_priority": lambda: [self._own_priority()],
        }

    # --- sequences ----------------------------------------------------------------------------------------------------

    def body(self) -> tuple[s.Stmt, ...]:
        """`{ … }` of a process: declarations in its beginning are initialised when it is made."""
        self.stream.expect("{")
        self._beginning = True
        found = self._steps("}")
        self.stream.expect("}")
        return found

    def _steps(self, *closing: str) -> tuple[s.Stmt, ...]:
        found: list[s.Stmt] = []
        while True:
            while self.stream.take(";", "->"):
                pass
            if self.stream.at(*closing):
                return tuple(found)
            if self.stream.now.kind is Kind.END or self.stream.at("}", "fi", "od", "::"):
                raise self.stream.unexpected(f"'{closing[-1]}'")
            found += self._step_or_errors()
            if not (self.stream.at(";", "->", *closing) or self._separated()):
                raise self.stream.unexpected("';'", "statements are separated by ; or ->")

    def _step_or_errors(self) -> list[s.Stmt]:
        """What is wrong in a statement is kept, and what comes behind it is read on."""
        start, level = self.stream.position, len(self.scope.levels)
        try:
            return self._step()
        except Misplaced:
            raise
        except ModelRejected as rejected:
            self._keep(rejected)
        del self.scope.levels[level:]
        self.stream.position = start
        span = self.stream.now.span
        self.stream.pass_over()
        if self.stream.position == start:  # what closes something that was not opened is no statement to pass over
            raise Misplaced
        return [s.Condition(span, s.Number(span, 1))]

    def _keep(self, rejected: ModelRejected) -> None:
        """The errors, each once: of a name that is not declared, the first place is told."""
        known = {each.message for each in self.errors}
        self.errors += [each for each in rejected.diagnostics if each.message not in known]
        if len(self.errors) >= MOST_ERRORS:
            raise Misplaced

    def _separated(self) -> bool:
        """A block or a line that ends separates statements, too, and so does `else`."""
        last = self.stream.ahead(-1)
        return last.text in ("}", "fi", "od", ";", "else") or last.span.end_line != self.stream.now.span.line

    def _step(self) -> list[s.Stmt]:
        if self.at_type():
            return self.declared()
        if self.stream.at("xr", "xs"):
            return self._claim()
        self._beginning = False
        found = self._statement()
        if self.stream.take("unless"):
            escape = self._statement()
            span = found[-1].span
            blocks = _is_block(found), _is_block(escape)
            return [s.Unless(span, _unwrapped(found), _unwrapped(escape), blocks)]
        return found

    def _statement(self) -> list[s.Stmt]:
        if self.stream.now.text in self.inlines and self.stream.ahead().text == "(":
            self._expand(self.stream.next())
        token = self.stream.now
        known = self.scope.processes | set(self._statements)
        if token.kind is Kind.NAME and self.stream.ahead().text == ":" and token.text not in known:
            return self._labelled()
        if token.text in self._statements and token.kind is not Kind.STRING:
            return self._statements[token.text]()
        if token.text in ("c_code", "c_expr", "c_decl", "c_state", "c_track"):
            raise embedded(token)
        if token.text == "_" and self.stream.ahead().text == "=":
            return [self._discard()]
        if token.kind is Kind.NAME and self.scope.find(token.text) is not None:
            return [self._about(self.stream.position)]
        value = self.expression()
        return [s.Condition(value.span, value)]

    def _labelled(self) -> list[s.Stmt]:
        label = self.stream.next()
        self.stream.next()
        if self.stream.at("}", "fi", "od", "::", ";", "->"):
            skip = s.Condition(label.span, s.Number(label.span, 1))
            return [s.Labelled(label.span, label.text, skip)]
        if self.at_type():
            raise ModelRejected.of("a label belongs to a statement", label.span, "put the declaration before it")
        *before, last = self._statement()
        return [*before, s.Labelled(label.span, label.text, last)]

    def _choice(self, closing: str) -> s.Choice:
        start = self.stream.next().span
        options: list[tuple[s.Stmt, ...]] = []
        if not self.stream.at("::"):
            raise self.stream.unexpected("'::'", "each option begins with ::")
        while self.stream.take("::"):
            self.scope.levels.append({})
            options.append(self._steps("::", closing))
            self.scope.levels.pop()
            if not options[-1]:
                raise self.stream.unexpected("a statement", "an option that does nothing is skip")
        self.stream.expect(closing)
        return s.Choice(start, tuple(options), closing == "od")

    def _sequence(self, kind: str) -> s.Sequence:
        start = self.stream.now.span
        if kind:
            self.stream.next()
        self.stream.expect("{")
        self.scope.levels.append({})
        body = self._steps("}")
        self.scope.levels.pop()
        self.stream.expect("}")
        if not body:
            raise ModelRejected.of("there is no statement in these braces", start, "write skip")
        return s.Sequence(start, kind, body)

    # --- loops --------------------------------------------------------------------------------------------------------

    def _for(self) -> list[s.Stmt]:
        start = self.stream.next().span
        self.stream.expect("(")
        index = self.reference("a variable")
        if not self.stream.take("in"):
            return self._counted(start, index, *self._range())
        collection = self.reference("an array or a channel")
        if type_of(collection) == CHAN and _length(collection) is None:
            return self._each_message(start, index, collection)
        return self._counted(start, index, *_elements(collection))

    def _counted(self, start: Span, index: s.Reference, first: s.Expr, last: s.Expr) -> list[s.Stmt]:
        self.stream.expect(")")
        return _loop(start, index, first, s.Binary(start, "<=", index, last), self._sequence("").body)

    def _each_message(self, start: Span, message: s.Reference, channel: s.Reference) -> list[s.Stmt]:
        """Each message in turn is taken and put back, as often as there are messages."""
        self.stream.expect(")")
        same = sum(each.name == "_round" for each in self.locals)
        counter = s.Declaration("_round", INT, None, start, self.owner, scope=same)
        self.locals.append(counter)
        at = s.Reference(start, counter)
        take = s.Receive(start, channel, (s.Argument(message.span, message, False),), False, False)
        put = s.Send(start, channel, (message,), False)
        test = s.Binary(start, "<", at, s.ChannelQuery(start, "len", channel))
        return _loop(start, at, s.Number(start, 0), test, (take, put, *self._sequence("").body))

    def _range(self) -> tuple[s.Expr, s.Expr]:
        self.stream.expect(":", "write the first and the last value: (i : 0 .. 9)")
        first = self.expression()
        self.stream.expect("..")
        return first, self.expression()

    def _select(self) -> list[s.Stmt]:
        start = self.stream.next().span
        self.stream.expect("(")
        index = self.reference("a variable")
        first, last = self._range()
        self.stream.expect(")")
        if isinstance(first, s.Number) and isinstance(last, s.Number) and 0 <= last.value - first.value <= CHOSEN:
            values = range(first.value, last.value + 1)
            options = tuple((s.Assign(start, index, s.Number(start, value)),) for value in values)
            return [s.Choice(start, options, False)]
        test = s.Condition(start, s.Binary(start, "<", index, last))
        ahead = s.Assign(start, index, s.Binary(start, "+", index, s.Number(start, 1)))
        loop = s.Choice(start, ((test, ahead), (s.Break(start),)), True)
        return [s.Assign(start, index, first), loop]

    # --- what takes a step --------------------------------------------------------------------------------------------

    def _about(self, position: int) -> s.Stmt:
        """A statement that begins with a variable: an assignment, a send, a receive, or a condition."""
        target, stream = self.reference("a variable"), self.stream
        start = target.span
        if stream.take("="):
            if (received := self.assigned(target)) is not None:
                return received
            value = self.expression()
            return s.Assign(stream.since(start), target, value)
        step = stream.take("++", "--")
        if step:
            value = s.Binary(stream.since(start), step.text[0], target, s.Number(step.span, 1))
            return s.Assign(stream.since(start), target, value)
        if self.in_trace and stream.at("!", "?"):
            sends = stream.next().text == "!"
            return s.Event(stream.since(start), target, self.received(""), sends)
        if stream.at("!", "!!"):
            in_order = stream.next().text == "!!"
            arguments = self._sent()
            return s.Send(stream.since(start), target, arguments, in_order)
        if stream.at("?", "??") and stream.ahead().text != "[":
            return self._receive(target)
        stream.position = position
        condition = self.expression()
        return s.Condition(condition.span, condition)

    def _discard(self) -> s.Stmt:
        """`_` may only be written to: what is left is the step, and the process that it makes."""
        start = self.stream.next().span
        self.stream.next()
        value = self.expression()
        span = self.stream.since(start)
        return s.Condition(span, value) if isinstance(value, s.Run) else s.Discard(span, value)

    def assigned(self, target: s.Reference) -> s.Stmt | None:
        """The statement, if what is assigned is more than an expression."""
        return None

    def _sent(self) -> tuple[s.Expr, ...]:
        """`a, b` or `a(b)`."""
        if self.stream.now.kind is Kind.NAME and self.stream.ahead().text == "(" and self._is_constant():
            first = self.expression()
            self.stream.expect("(")
            rest = self.arguments(")")
            self.stream.expect(")")
            return (first, *rest)
        found = [self.expression()]
        while self.stream.take(","):
            found.append(self.expression())
        if len(found) == 1 and self.stream.take("("):
            found += self.arguments(")")
            self.stream.expect(")")
        return tuple(found)

    def _is_constant(self) -> bool:
        return self.stream.now.text in self.scope.constants

    def _receive(self, channel: s.Reference) -> s.Receive:
        anywhere = self.stream.next().text == "??"
        keeps = self.stream.take("<") is not None
        arguments = self.received(">" if keeps else "")
        if keeps:
            self.stream.expect(">")
        return s.Receive(self.stream.since(channel.span), channel, arguments, anywhere, keeps)

    def _goto(self) -> s.Goto:
        start = self.stream.next().span
        label = self.stream.name("a label")
        return s.Goto(self.stream.since(start), label.text)

    def _assert(self) -> s.Assert:
        start = self.stream.next().span
        value = self.expression()
        return s.Assert(self.stream.since(start), value)

    def _print(self) -> s.Print:
        start = self.stream.next().span
        self.stream.expect("(")
        text = self.stream.next().text if self.stream.now.kind is Kind.STRING else ""
        if text:
            self.stream.take(",")
        arguments = self.arguments(")")
        self.stream.expect(")")
        return s.Print(self.stream.since(start), text, arguments)

    def _set_priority(self) -> s.SetPriority:
        start = self.stream.next().span
        self.stream.expect("(")
        number = self.expression()
        self.stream.expect(",")
        value = self.expression()
        self.stream.expect(")")
        return s.SetPriority(self.stream.since(start), number, value)

    def _own_priority(self) -> s.Stmt:
        word = self.stream.now
        if self.stream.ahead().text != "=":
            condition = self.expression()
            return s.Condition(condition.span, condition)
        self.stream.next()
        self.stream.next()
        value = self.expression()
        return s.SetPriority(self.stream.since(word.span), s.Predefined(word.span, "_pid"), value)

    def _claim(self) -> list[s.Stmt]:
        """`xr q` and `xs q` say who uses a channel; they change nothing."""
        word = self.stream.next().text
        claims = self.scope.claims.setdefault(self.owner or "", [])
        claims.append((word, self.reference("a channel")))
        while self.stream.take(","):
            claims.append((word, self.reference("a channel")))
        return []

    # --- inlines ------------------------------------------------------------------------------------------------------

    def _expand(self, name: Token) -> None:
        inline = self.inlines[name.text]
        self._expanded += 1
        mark = f"inline {name.text}"
        if mark in name.hidden or self._expanded > MOST_INLINES:
            raise ModelRejected.of(f"the inline {name.text} calls itself", name.span, "use a do loop or a process")
        arguments = _split(self.stream.bracketed("(", ")"))
        if len(arguments) != len(inline.parameters):
            said = f"the inline {name.text} takes {len(inline.parameters)} argument(s), and is given {len(arguments)}"
            raise ModelRejected.of(said, name.span, "give as many as it takes")
        values = dict(zip(inline.parameters, arguments, strict=True))
        tokens: list[Token] = []
        for token in inline.body:
            given = values.get(token.text) if token.kind is Kind.NAME else None
            tokens += [token.at(token.span, name.hidden | {mark})] if given is None else given
        opening, closing = (Token(Kind.OPERATOR, brace, name.span) for brace in "{}")
        self.stream.insert([opening, *tokens, closing])

    def define_inline(self) -> None:
        self.stream.next()
        name = self.stream.name("the name of the inline").text
        parameters = tuple(t.text for t in self.stream.bracketed("(", ")") if t.text != ",")
        self.inlines[name] = Inline(parameters, tuple(self.stream.bracketed("{", "}")))

    # --- declarations -------------------------------------------------------------------------------------------------

    def at_type(self) -> bool:
        text = self.stream.now.text
        words = (*WORDS, "mtype", "unsigned", "hidden", "show", "local", *self.scope.structures)
        is_type = self.stream.now.kind is Kind.NAME and text in words
        return is_type and self.stream.ahead().text not in (".", "@", "[")

    def declared(self) -> list[s.Stmt]:
        """The variables of a declaration. In the middle of a body, their initial values are assigned to them."""
        found: list[s.Stmt] = []
        hidden = False
        while self.stream.at("hidden", "show", "local"):
            hidden = self.stream.next().text == "hidden" or hidden
        base = self.type()
        while True:
            declaration = self._variable(base)
            declaration.hidden = hidden
            if self.stream.take("="):
                found += self._initialised(declaration)
            elif self.owner is not None and not self._beginning:
                found.append(_cleared(declaration))
            if not self.stream.take(","):
                return found

    def _initialised(self, declaration: s.Declaration) -> list[s.Stmt]:
        if self.stream.at("["):
            declaration.initial = self._channel_maker(declaration)
            return []
        if self.stream.at("{"):
            declaration.initial = self._initial_list(declaration)
            return []
        value = self.expression()
        if self.owner is None or self._beginning:
            declaration.initial = value
            return []
        return [_assigned(declaration, value)]

    def _initial_list(self, declaration: s.Declaration) -> s.InitialList:
        start = self.stream.expect("{").span
        if declaration.length is None or not (self.owner is None or self._beginning):
            said = "a list is the first value of an array that is declared before all statements"
            raise ModelRejected.of(said, start, "assign to the elements")
        values = [self._constant("an element of a list", INT.lo, INT.hi)]
        while self.stream.take(","):
            values.append(self._constant("an element of a list", INT.lo, INT.hi))
        self.stream.expect("}")
        return s.InitialList(self.stream.since(start), tuple(values))

    def _channel_maker(self, declaration: s.Declaration) -> s.ChannelMaker:
        start = self.stream.expect("[").span
        if declaration.type != CHAN:
            raise ModelRejected.of(f"{declaration.name} is no channel", start, "declare it like chan q = [1] of {byte}")
        capacity = self._constant("the capacity of a channel", 0, LARGEST_CHANNEL)
        self.stream.expect("]")
        self.stream.expect("of")
        self.stream.expect("{")
        fields = [self.type()]
        while self.stream.take(",", ";"):
            fields.append(self.type())
        self.stream.expect("}")
        return s.ChannelMaker(self.stream.since(start), capacity, tuple(fields))

    def _variable(self, base: Type) -> s.Declaration:
        name, length = self.stream.name("the name of a variable"), None
        if self.stream.take(":"):
            bits = self._constant("the number of bits", 1, 31)
            base = replace(base, bits=bits) if isinstance(base, Basic) else base
        if self.stream.take("["):
            length = self._constant("the length of an array", 1, LONGEST_ARRAY)
            self.stream.expect("]")
        level = self.scope.levels[-1]
        known = level.get(name.text)
        if known is not None and known.span == name.span:  # an inline that is used twice
            return known
        if known is not None:
            raise ModelRejected.of(f"{name.text} is declared twice here", name.span, f"it is declared at {known.span}")
        same = sum(each.name == name.text for each in self.locals)
        declaration = s.Declaration(name.text, base, length, name.span, self.owner, scope=same)
        declaration.within = tuple(_channels_within(declaration))
        level[name.text] = declaration
        self.locals.append(declaration)
        return declaration

    def type(self) -> Type:
        token = self.stream.next()
        if token.text == "mtype":
            name = "mtype"
            if self.stream.at(":") and self.stream.ahead().kind is Kind.NAME:
                self.stream.next()
                name = self.stream.next().text
            return Basic("mtype", 8, mtype=name)
        if token.text == "unsigned":
            return Basic("unsigned", BYTE.bits)
        found = WORDS.get(token.text) or self.scope.structures.get(token.text)
        if found is None:
            raise undeclared(token, self.scope)
        return found

    def _constant(self, what: str, least: int, most: int) -> int:
        """A number that is known from the text."""
        e = self.expression()
        value = constant(e)
        if value is None or not least <= value <= most:
            raise ModelRejected.of(f"{what} is a constant from {least} to {most}", e.span, "write a number or a macro")
        return value


def _elements(array: s.Reference) -> tuple[s.Expr, s.Expr]:
    """The first and the last index."""
    length = _length(array)
    if length is None:
        raise ModelRejected.of("this is no array", array.span, "loop over the indices: for (i : 0 .. 3)")
    return s.Number(array.span, 0), s.Number(array.span, length - 1)


def _length(e: s.Reference) -> int | None:
    """The length of the array that is named, which may be a field; None if it is an element, or no array."""
    length, index, type = e.declaration.length, e.index, e.declaration.type
    for part in e.parts:
        member = type.member(part.name) if isinstance(type, Structure) else None
        assert member is not None
        length, index, type = member.length, part.index, member.type
    return length if index is None else None


def _loop(start: Span, index: s.Reference, first: s.Expr, test: s.Expr, body: tuple[s.Stmt, ...]) -> list[s.Stmt]:
    """The body is repeated while the test holds of the index, which begins with `first`."""
    ahead = s.Assign(start, index, s.Binary(start, "+", index, s.Number(start, 1)))
    again = (s.Condition(start, test), *body, ahead)
    return [s.Assign(start, index, first), s.Choice(start, (again, (s.Else(start), s.Break(start))), True)]


def _channels_within(declaration: s.Declaration) -> Iterator[tuple[str, s.Declaration]]:
    for leaf in leaves(declaration.type, declaration.length):
        if leaf.channel is not None:
            name, count = f"{declaration.name}{leaf.path}", prod(leaf.dims) if leaf.dims else None
            made = s.Declaration(name, CHAN, count, declaration.span, declaration.owner, scope=declaration.scope)
            made.initial = s.ChannelMaker(declaration.span, leaf.channel.capacity, leaf.channel.fields)
            yield leaf.path, made


def _cleared(declaration: s.Declaration) -> s.Stmt:
    """A variable that is declared in the middle of a body is 0 from there on; a structure stays as it is."""
    zero = s.Number(declaration.span, 0)
    if isinstance(declaration.type, Basic):
        return _assigned(declaration, zero)
    return s.Print(declaration.span, "", ())


def _assigned(declaration: s.Declaration, value: s.Expr) -> s.Stmt:
    return s.Assign(declaration.span, s.Reference(declaration.span, declaration), value)


def _is_block(statements: list[s.Stmt]) -> bool:
    return len(statements) == 1 and isinstance(statements[0], s.Sequence) and not statements[0].kind


def _unwrapped(statements: list[s.Stmt]) -> tuple[s.Stmt, ...]:
    """The statements of a plain block."""
    if isinstance(statements[0], s.Sequence) and _is_block(statements):
        return statements[0].body
    return tuple(statements)


def _split(tokens: list[Token]) -> list[list[Token]]:
    """The arguments of an inline."""
    if not tokens:
        return []
    found, depth = [list[Token]()], 0
    for token in tokens:
        if token.kind is Kind.OPERATOR:
            depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == "," and depth == 0:
            found.append([])
        else:
            found[-1].append(token)
    return found
