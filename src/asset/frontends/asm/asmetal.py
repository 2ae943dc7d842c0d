"""The parser of AsmetaL: `asm NAME`, `signature:`, `definitions:`, `main rule`, `init`."""

from __future__ import annotations

from dataclasses import dataclass, field

from asset.frontends.asm import tree as t
from asset.frontends.asm.asmetal_rules import AsmetaLRules
from asset.span import Span

CATEGORIES = frozenset({"static", "derived", "controlled", "monitored", "shared", "out", "local"})
_MAKERS = {"Prod": "Prod", "Powerset": "Powerset", "Seq": "Seq", "Map": "Map", "Bag": "Bag", "Rule": "Rule"}
_SPECIFICATIONS = {
    "CTLSPEC": "ctl",
    "SPEC": "ctl",
    "CTL": "ctl",
    "LTL": "ltl",
    "LTLSPEC": "ltl",
    "JUSTICE": "justice",
    "FAIRNESS": "justice",
    "COMPASSION": "compassion",
    "INVARSPEC": "invariant",
    "INVAR": "always",
}
_CAPITALS = ("SPEC", "CTL", "LTL")  # in small letters these may be names
_SPECIFICATIONS |= {word.lower(): kind for word, kind in _SPECIFICATIONS.items() if word not in _CAPITALS}
_INVARIANTS = ("invariant", "INVARIANT", "axiom")
_MACHINES = ("asyncr", "syncr", "synchr")
_HEADS = (
    CATEGORIES
    | frozenset(_SPECIFICATIONS)
    | {"enum", "abstract", "anonymous", "domain", "dynamic", "signature", "definitions", "function", "rule", "macro"}
    | {"turbo", "main", "default", "init", "agent", "import", "export", "//@", "basic", "anydomain"}
    | set(_INVARIANTS)
)


@dataclass
class _Draft:
    """What was read so far."""

    domains: list[t.Domain] = field(default_factory=list)
    functions: list[t.Function] = field(default_factory=list)
    definitions: list[t.Definition] = field(default_factory=list)
    constraints: list[t.Constraint] = field(default_factory=list)
    rules: list[t.RuleDefinition] = field(default_factory=list)
    specifications: list[t.Specification] = field(default_factory=list)
    initials: list[t.Initial] = field(default_factory=list)
    imports: list[tuple[str, Span]] = field(default_factory=list)
    main: str | None = None


class AsmetaL(AsmetaLRules):
    """Reads one file. What is wrong is in `problems` afterwards."""

    def machine(self, file: str) -> t.Machine:
        """The machine, which has a name of its own, whatever the file is called."""
        draft = _Draft()
        start = self.here.span
        self.accept(*_MACHINES)
        self.accept("asm", "module")
        name = self.take().text
        while self.here.kind != "end":
            self.recovering(lambda: self._declaration(draft), _HEADS)
        return t.Machine(
            name,
            start,
            tuple(draft.domains),
            tuple(draft.functions),
            tuple(draft.definitions),
            tuple(draft.constraints),
            tuple(draft.rules),
            tuple(draft.specifications),
            tuple(draft.initials),
            draft.main,
            tuple(draft.imports),
        )

    def _declaration(self, draft: _Draft) -> None:
        word = self.here.text
        if word in ("signature", "definitions"):
            self.take()
            self.expect(":")
        elif word in ("import", "export"):
            self._import(draft)
        elif word == "//@":
            draft.constraints.append(self._constraint())
        elif word in _SPECIFICATIONS:
            draft.specifications.append(self._specification())
        elif word in _INVARIANTS:
            draft.specifications.append(self._invariant())
        elif word == "function":
            draft.definitions.append(self.definition())
        elif word in ("rule", "macro", "turbo", "main"):
            self._rule(draft)
        elif word in ("default", "init"):
            draft.initials.append(self._initial(draft))
        else:
            self._signature(draft)

    def _import(self, draft: _Draft) -> None:
        """`import path (names)`: the path is made of names, dots and slashes, without blanks."""
        kind, start = self.take().text, self.here.span
        if kind == "export":
            self.accept("*")
            while self.here.kind == "word" and self.here.text not in _HEADS:
                self.take()
                self.accept(",")
            return
        if self.here.kind == "text":
            draft.imports.append((self.take().text[1:-1], start))
            return
        path = ""
        end = start
        while self.here.kind in ("word", "number", "sign") and self.here.text != "(":
            token = self.here
            if path and (token.span.line, token.span.column) != (end.end_line, end.end_column):
                break
            path, end = path + token.text, self.take().span
        draft.imports.append((path, self.since(start)))
        if self.sees("("):
            self.arguments("(", ")")

    # --- signature ------------------------------------------------------------------------------------------------

    def _signature(self, draft: _Draft) -> None:
        start = self.here.span
        if self.accept("anydomain"):
            draft.domains.append(t.Domain(self.since(start), self.word("the name of the domain").text, "any"))
            return
        if self.accept("basic"):  # the library has these
            self.expect("domain")
            self.word("the name of the domain")
            return
        dynamic = self.accept("dynamic")
        self.accept("anonymous")
        if self.accept("enum"):
            draft.domains.append(self._enumeration(start))
        elif self.accept("abstract"):
            self.expect("domain")
            draft.domains.append(t.Domain(self.since(start), self.word("the name of the domain").text, "abstract"))
        elif self.accept("domain"):
            self._domain(start, draft)
        elif self.here.text in CATEGORIES:
            draft.functions += self.functions(self.take().text, start)
        elif dynamic:
            draft.functions += self.functions("controlled", start)
        else:
            self.fail(
                "a declaration is missing here",
                "a function begins with static, derived, controlled, monitored or out, a domain with enum, abstract "
                "or domain",
            )

    def _enumeration(self, start: Span) -> t.Domain:
        self.expect("domain")
        name = self.word("the name of the domain").text
        self.expect("=")
        self.expect("{")
        found = self.separated(self._constructor, "|", ",")
        self.expect("}", "separate the values by |")
        return t.Domain(self.since(start), name, "enum", found)

    def _constructor(self) -> t.Constructor:
        token = self.word("a value of the domain")
        return t.Constructor(token.span, token.text)

    def _domain(self, start: Span, draft: _Draft) -> None:
        """In the signature it is declared, in the definitions its elements are said."""
        name = self.word("the name of the domain").text
        if self.accept("subsetof"):
            of = self._type()
            draft.domains.append(t.Domain(self.since(start), name, "subset", (), of))
            if not self.accept("="):
                return
        else:
            self.expect("=", "write domain D subsetof Integer, and domain D = {0 : 3} in the definitions")
        draft.definitions.append(t.Definition(self.since(start), name, (), self.term()))

    def _type(self) -> t.TypeExpr:
        token = self.word("a domain")
        if token.text in _MAKERS and self.accept("("):
            parts = self.separated(self._type, ",")
            self.expect(")")
            return t.TypeOf(self.since(token.span), _MAKERS[token.text], parts)
        return t.TypeName(token.span, token.text)

    def functions(self, category: str, start: Span) -> list[t.Function]:
        names = self.separated(lambda: self.word("the name of the function"), ",")
        self.expect(":", "write the domain of the function behind a colon")
        first = self._type()
        args: tuple[t.TypeExpr, ...] = ()
        if self.accept("->"):
            args = first.parts if isinstance(first, t.TypeOf) and first.maker == "Prod" else (first,)
            first = self._type()
        return [t.Function(name.span, name.text, category, args, first) for name in names]

    # --- definitions ----------------------------------------------------------------------------------------------

    def definition(self) -> t.Definition:
        start = self.expect("function").span
        name = self.word("the name of the function").text
        params = self._params()
        self.expect("=", "write it like function f($x in D) = …")
        body = self.term()
        return t.Definition(self.since(start), name, params, body)

    def _params(self) -> tuple[t.Binder, ...]:
        if not self.accept("("):
            return ()
        found = () if self.sees(")") else self.binders()
        self.expect(")")
        return found

    def _rule(self, draft: _Draft) -> None:
        start = self.here.span
        main = self.accept("main")
        self.accept("macro", "turbo")
        self.expect("rule")
        name = self.word("the name of the rule").text
        params = self._params()
        returns = self.accept("in")
        if returns:
            self._type()
        self.expect("=")
        body = self.rule()
        patterns, domains = tuple(each.pattern for each in params), tuple(each.domain for each in params)
        draft.rules.append(t.RuleDefinition(self.since(start), name, patterns, body, returns, domains))
        if main:
            draft.main = name

    def _constraint(self) -> t.Constraint:
        """`//@ f($x) in S`."""
        start = self.expect("//@").span
        name = self.word("the name of a function").text
        params = self.restrictions()
        self.expect("in", "write it like //@ f($x) in {0 : 3}")
        values = self.term()
        return t.Constraint(self.since(start), name, params, values)

    def _specification(self) -> t.Specification:
        start = self.take()
        name = self._name_before_colon()
        term = self.term()
        return t.Specification(self.since(start.span), _SPECIFICATIONS[start.text], name, term)

    def _name_before_colon(self) -> str | None:
        """`name :` or `(name) :`."""
        if self.here.kind == "word" and self.ahead().text == ":":
            name = self.take().text
        elif self.sees("(") and self.ahead().kind == "word" and self.ahead(2).text == ")" and self.ahead(3).text == ":":
            self.take()
            name = self.take().text
            self.take()
        else:
            return None
        self.take()
        return name

    def _invariant(self) -> t.Specification:
        """`invariant NAME over f, g: term`; what it is over says nothing that the term does not say."""
        start = self.take().span
        bracket = self.accept("(")
        name = None if self.sees("over", ":") else self.word("the name of the invariant").text
        if bracket:
            self.expect(")")
        if self.accept("over"):
            self.separated(self._subject, ",")
        self.expect(":")
        term = self.term()
        return t.Specification(self.since(start), "invariant", name, term)

    def _subject(self) -> None:
        self.word("the name of a function")
        if self.accept("("):
            while not self.accept(")"):
                if self.take().kind == "end":
                    self.fail("')' is missing here")

    def _program(self, domain: str, draft: _Draft) -> t.CallRule:
        """What the agents of a domain do: the call of a rule, or a rule that has no name."""
        rule = self.rule()
        if isinstance(rule, t.CallRule):
            return rule
        name = f"program of {domain}"
        draft.rules.append(t.RuleDefinition(rule.span, name, (), rule))
        return t.CallRule(rule.span, name, ())

    def _initial(self, draft: _Draft) -> t.Initial:
        start = self.here.span
        default = self.accept("default")
        self.expect("init")
        name = self.word("the name of the initial state").text
        self.expect(":")
        domains: list[t.Definition] = []
        functions: list[t.Definition] = []
        agents: list[t.Agents] = []
        while self.sees("domain", "function", "agent"):
            at = self.here.span
            if self.accept("domain"):
                of = self.word("the name of the domain").text
                self.expect("=")
                domains.append(t.Definition(at, of, (), self.term()))
            elif self.accept("agent"):
                of = self.word("the domain of the agents").text
                self.expect(":")
                agents.append(t.Agents(at, of, self._program(of, draft)))
            else:
                functions.append(self.definition())
        return t.Initial(self.since(start), name, default, tuple(domains), tuple(functions), tuple(agents))
