"""Parsing a whole model: its declarations, proctypes, claims and formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asset.errors import ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.abstract_types import CollectionParser
from asset.frontends.promela.bit_arrays import as_byte
from asset.frontends.promela.constants import constant
from asset.frontends.promela.expressions import Scope, embedded
from asset.frontends.promela.lexing import Kind, Token
from asset.frontends.promela.naming import parts_of
from asset.frontends.promela.token_stream import TokenStream
from asset.frontends.promela.types import Basic, ChannelForm, Member, Structure
from asset.span import Span


def parse(tokens: Sequence[Token], collections: bool = False) -> tuple[s.Module, Scope]:
    """The model, and what its global names mean. `collections`: whether it may have sets and queues."""
    parser = _ModuleParser(TokenStream(tokens), Scope())
    parser.extended = collections
    parser.module.globals = parser.locals
    try:
        while parser.stream.now.kind is not Kind.END:
            if not parser.stream.take(";") and not parser.stream.take("->"):
                parser.unit()
    except ModelRejected as rejected:
        raise ModelRejected(*parser.errors, *rejected.diagnostics) from None
    if parser.errors:
        raise ModelRejected(*parser.errors)
    if not any(process.active for process in parser.module.processes):
        raise ModelRejected.of(
            "there is no process to begin with", parser.stream.now.span, "write an init or an active proctype"
        )
    return parser.module, parser.scope


class _ModuleParser(CollectionParser):
    def __init__(self, stream: TokenStream, scope: Scope) -> None:
        super().__init__(stream, scope)
        self.module = s.Module()
        self._units: dict[str, Callable[[], None]] = {
            "mtype": self._mtype,
            "typedef": self._typedef,
            "inline": self.define_inline,
            "active": self._active,
            "proctype": lambda: self._proctype(0),
            "D_proctype": lambda: self._proctype(0),
            "init": self._init,
            "never": self._never,
            "trace": self._trace,
            "notrace": self._trace,
            "ltl": self._ltl,
        }

    def unit(self) -> None:
        token = self.stream.now
        if token.text in self._units:
            self._units[token.text]()
        elif self.extended and token.text == "enum":
            self._enum()
        elif self.at_type():
            self.declared()
        elif token.text.startswith("c_"):
            raise embedded(token)
        else:
            raise self.stream.unexpected("a declaration or a proctype")

    def _mtype(self) -> None:
        """`mtype = { a, b }` or, if no braces follow, a declaration of variables. The last name has number 1."""
        stream, start, name = self.stream, self.stream.position, "mtype"
        stream.next()
        if stream.take(":"):
            name = stream.name("the name of the mtype").text
        if not (stream.take("=") or stream.at("{")):
            stream.position = start
            self.declared()
            return
        self._constants(name)

    def _enum(self) -> None:
        self.stream.next()
        name = self.stream.name("the name of the enumeration").text
        self.stream.take("=")
        self._constants(name)
        self.scope.enumerations[name] = len(self.module.mtypes[name])

    def _constants(self, name: str) -> None:
        words = [t for t in self.stream.bracketed("{", "}") if t.text != ","]
        known = self.module.mtypes.setdefault(name, {})
        first = len(known)
        for k, word in enumerate(words):
            if word.text in self.scope.constants or word.text in {each.text for each in words[:k]}:
                raise ModelRejected.of(f"{word.text} is declared twice", word.span, "use another name")
        for k, word in enumerate(reversed(words)):
            known[word.text] = first + k + 1
            self.scope.constants[word.text] = name, known[word.text]

    def _typedef(self) -> None:
        self.stream.next()
        name = self.stream.name("the name of the type").text
        self.stream.expect("{")
        before, self.locals = self.locals, []
        self.scope.levels.append({})
        while not self.stream.at("}"):
            if not self.stream.take(";"):
                self.declared()
        self.scope.levels.pop()
        members, self.locals = self.locals, before
        self.stream.expect("}")
        self.scope.structures[name] = Structure(name, tuple(_member(m) for m in members))

    # --- processes ----------------------------------------------------------------------------------------------------

    def _active(self) -> None:
        self.stream.next()
        count = 1
        if self.stream.take("["):
            count = self._constant("the number of processes", 0, 255)
            self.stream.expect("]")
        self._proctype(count)

    def _proctype(self, active: int) -> None:
        word = self.stream.next()
        if word.text not in ("proctype", "D_proctype"):
            raise self.stream.unexpected("proctype")
        name = self.stream.name("the name of the proctype")
        if any(p.name == name.text for p in self.module.processes):
            raise ModelRejected.of(f"there are two proctypes {name.text}", name.span, "use another name")
        process = s.Proctype(name.text, name.span, active, deterministic=word.text == "D_proctype")
        self.scope.processes.add(name.text)
        self._process(process, self._parameters)

    def _init(self) -> None:
        self._process(s.Proctype("init", self.stream.next().span, 1), lambda: ())

    def _process(self, process: s.Proctype, parameters: Callable[[], tuple[s.Declaration, ...]]) -> None:
        before, self.locals, self.owner = self.locals, process.locals, process.name
        self.scope.levels.append({})
        process.parameters = parameters()
        process.priority = self.priority()
        if self.stream.take("provided"):
            self.stream.expect("(")
            process.provided = self._provided()
            self.stream.expect(")")
        process.body = self.body()
        process.end = self.stream.ahead(-1).span
        self.scope.levels.pop()
        self.locals, self.owner = before, None
        self.module.processes.append(process)
        self.module.bodies.append(process)

    def _provided(self) -> s.Expr:
        """SPIN takes no variables of the process here: it says so, and goes on as if the clause were true."""
        found = self.expression()
        for part in parts_of(found):
            if isinstance(part, s.Reference) and part.declaration.owner is not None:
                said = f"{part.declaration.name} is a variable of the process; provided is about shared ones"
                raise ModelRejected.of(said, part.span, "declare it outside, or use _pid")
        return found

    def _parameters(self) -> tuple[s.Declaration, ...]:
        self.stream.expect("(")
        while not self.stream.at(")"):
            self.declared()
            if not self.stream.take(";", ","):
                break
        self.stream.expect(")")
        for each in self.locals:
            each.parameter = True
        return tuple(self.locals)

    def _never(self) -> None:
        start = self.stream.next().span
        if not self.stream.at("{"):
            self.stream.name("the name of the claim")
        if self.module.never is not None:
            raise ModelRejected.of("there is a second never claim", start, "one can be checked at a time")
        self.module.never = self._observer("never", start)

    def _trace(self) -> None:
        word = self.stream.next()
        if self.module.trace is not None:
            raise ModelRejected.of("there is a second trace", word.span, "one can be checked at a time")
        self.in_trace = True
        self.module.trace = self._observer(word.text, word.span)
        self.in_trace = False

    def _observer(self, name: str, span: Span) -> s.Proctype:
        """A body that is no process: it follows what the processes do."""
        observer = s.Proctype(name, span, 0)
        before, self.locals, self.owner = self.locals, observer.locals, name
        self.scope.levels.append({})
        observer.body = self.body()
        self.scope.levels.pop()
        self.locals, self.owner = before, None
        self.module.bodies.append(observer)
        return observer

    def _ltl(self) -> None:
        start = self.stream.next().span
        name = f"ltl_{len(self.module.formulas)}"
        if not self.stream.at("{"):
            name = self.stream.name("the name of the formula").text
        tokens = self.stream.bracketed("{", "}")
        for k, token in enumerate(tokens[1:-1]):
            if token.text == "@":
                self.scope.referenced.add((_process_before(tokens, k + 1), tokens[k + 2].text))
        self.module.formulas.append(s.Formula(start, name, tuple(tokens), self.stream.ahead(-1)))


def _member(declared: s.Declaration) -> Member:
    match declared.initial:
        case None:
            values: tuple[int | None, ...] = (0,)
        case s.InitialList(values=values):
            pass
        case s.ChannelMaker(capacity=capacity, fields=fields):
            form = ChannelForm(capacity, tuple(map(as_byte, fields)) if len(fields) == 1 else fields)
            return Member(declared.name, declared.type, declared.length, channel=form)
        case _:
            values = (constant(declared.initial),)
    known = [value for value in values if value is not None]
    if not known and declared.initial is not None:
        raise ModelRejected.of("the first value of a field is a constant", declared.initial.span, "write a number")
    kind = declared.type if declared.length is None else as_byte(declared.type)
    if isinstance(kind, Basic):
        known = [kind.wrapped(value) for value in known]
    return Member(declared.name, kind, declared.length, tuple(known))


def _process_before(tokens: Sequence[Token], at: int) -> str:
    """The proctype of `p@label` or `p[1]@label`, whose `@` is there."""
    depth = 0
    while at > 0:
        at -= 1
        depth += (tokens[at].text == "]") - (tokens[at].text == "[")
        if depth == 0 and tokens[at].kind is Kind.NAME:
            return tokens[at].text
    return ""
