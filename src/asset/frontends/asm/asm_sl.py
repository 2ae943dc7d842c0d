"""The parser of ASM-SL: `freetype`, `static function`, `dynamic function`, `transition`, and sections of properties."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from asset.frontends.asm import tree as t
from asset.frontends.asm.asm_sl_rules import SlRuleReader
from asset.span import Span

_HEADS = frozenset(
    {"freetype", "typealias", "static", "derived", "dynamic", "external", "transition"}
    | {"invariant", "ctl", "ltl", "justice"}
)
MAIN = ("main", "Main", "MAIN")


_OF_LISTS = {
    "cons": "prepend",
    "hd": "first",
    "tl": "tail",
    "nth": "at",
    "head": "first",
    "fst": "first",
    "snd": "second",
}
"""What functions of lists and pairs are called in AsmetaL."""


@dataclass
class _Draft:
    domains: list[t.Domain] = field(default_factory=list)
    functions: list[t.Function] = field(default_factory=list)
    definitions: list[t.Definition] = field(default_factory=list)
    constraints: list[t.Constraint] = field(default_factory=list)
    rules: list[t.RuleDefinition] = field(default_factory=list)
    specifications: list[t.Specification] = field(default_factory=list)
    initially: list[t.Definition] = field(default_factory=list)


class AsmSl(SlRuleReader):
    """Reads one file. What is wrong is in `problems` afterwards."""

    def machine(self, name: str) -> t.Machine:
        draft, start = _Draft(), self.here.span
        while self.here.kind != "end":
            self.recovering(lambda: self._declaration(draft), _HEADS)
        initial = t.Initial(start, "initially", True, (), tuple(draft.initially), ())
        main = next((rule.name for rule in draft.rules if rule.name in MAIN), None)
        machine = t.Machine(
            name,
            start,
            tuple(draft.domains),
            tuple(draft.functions),
            tuple(draft.definitions),
            tuple(draft.constraints),
            tuple(draft.rules),
            tuple(draft.specifications),
            (initial,),
            main,
        )
        return _in_names_of_the_library(machine)

    def _declaration(self, draft: _Draft) -> None:
        start = self.here.span
        match self.here.text:
            case "freetype":
                draft.domains.append(self._freetype())
            case "typealias":
                self.take()
                name = self.word("the name of the type").text
                self.expect("==")
                draft.domains.append(t.Domain(self.since(start), name, "alias", (), self.type()))
            case "static" | "derived":
                self._static(draft)
            case "dynamic" | "external":
                self._dynamic(draft)
            case "transition":
                draft.rules.append(self._transition())
            case "invariant" | "ctl" | "ltl" | "justice":
                draft.specifications.append(self._property())
            case _:
                self.fail(
                    "a declaration is missing here",
                    "it begins with freetype, typealias, static, dynamic, external, transition, invariant, ctl, ltl "
                    "or justice",
                )

    # --- types ----------------------------------------------------------------------------------------------------

    def _freetype(self) -> t.Domain:
        start = self.take().span
        name = self.word("the name of the type").text
        self.expect("==", "write it like freetype T == { a, b }")
        self.expect("{")
        found = self.separated(self._constructor, ",", "|")
        self.expect("}")
        return t.Domain(self.since(start), name, "enum", found)

    def _constructor(self) -> t.Constructor:
        token = self.word("a constructor")
        of = self.type() if self.accept(":") else None
        return t.Constructor(token.span, token.text, of)

    def type(self) -> t.TypeExpr:
        """`A * B` is a product, `SET(A)` and `LIST(A)` are sets and lists."""
        start = self.here.span
        parts = self.separated(self._factor, "*")
        return parts[0] if len(parts) == 1 else t.TypeOf(self.since(start), "Prod", parts)

    def _factor(self) -> t.TypeExpr:
        if self.accept("("):
            found = self.type()
            self.expect(")")
            return found
        token = self.word("a type")
        makers = {"SET": "Powerset", "LIST": "Seq", "MAP": "Map"}
        if token.text in makers and self.accept("("):
            parts = self.separated(self.type, ",")
            self.expect(")")
            return t.TypeOf(self.since(token.span), makers[token.text], parts)
        return t.TypeName(token.span, token.text)

    # --- functions ------------------------------------------------------------------------------------------------

    def _static(self, draft: _Draft) -> None:
        """`static function f(x, y) == t`, or `static function f == fn (x, y) -> t`; the type may be left out."""
        category, start = self.take().text, self.here.span
        relation = self.sees("relation")
        if not self.accept("function", "relation"):
            self.fail("'function' is missing here")
        name = self.word("the name of the function").text
        params: tuple[t.Term, ...] = ()
        if self.accept("("):
            params = self.separated(self.pattern, ",")
            self.expect(")")
        args, result = self._signature(relation) if self.accept(":") else ((), None)
        self.expect("==")
        body = self.term()
        draft.functions.append(t.Function(start, name, category, args, result))
        unbound = tuple(t.Binder(each.span, each, t.Wildcard(each.span)) for each in params)
        draft.definitions.append(t.Definition(self.since(start), name, unbound, body))

    def _signature(self, relation: bool) -> tuple[tuple[t.TypeExpr, ...], t.TypeExpr]:
        first = self.type()
        if relation:
            return _parts(first), t.TypeName(first.span, "BOOL")
        if self.accept("->"):
            return _parts(first), self.type()
        return (), first

    def _dynamic(self, draft: _Draft) -> None:
        start = self.here.span
        category = "controlled" if self.take().text == "dynamic" else "monitored"
        relation = self.sees("relation")
        if not self.accept("function", "relation"):
            self.fail("'function' or 'relation' is missing here")
        name = self.word("the name of the function").text
        self.expect(":", "write the type of the function behind a colon")
        args, result = self._signature(relation)
        draft.functions.append(t.Function(self.since(start), name, category, args, result))
        while self.accept("with"):
            draft.constraints.append(self._constraint(name))
        if self.accept("initially"):
            at = self.here.span
            draft.initially.append(t.Definition(self.since(at), name, (), self.term()))

    def _constraint(self, name: str) -> t.Constraint:
        """`f(x) in S`, or of lists `length(f) in S`."""
        start = self.here.span
        of = self.word("the name of the function").text
        bound = of == "length" and self.ahead().text == name
        if of != name and not bound:
            remedy = f"write it like with {name}(x) in S, or of lists with length({name}) in {{0..3}}"
            self.fail(f"the constraint is to be one of {name}", remedy)
        params = self.restrictions()
        self.expect("in")
        return t.Constraint(self.since(start), of, params, self.operand())

    # --- rules and properties -------------------------------------------------------------------------------------

    def _transition(self) -> t.RuleDefinition:
        start = self.take().span
        name = self.word("the name of the transition").text
        params: tuple[t.Term, ...] = ()
        if self.accept("("):
            params = () if self.sees(")") else self.separated(self.pattern, ",")
            self.expect(")")
        self.expect("==")
        return t.RuleDefinition(self.since(start), name, params, self.rules(_HEADS))

    def _property(self) -> t.Specification:
        """`invariant name == t`, `ctl name == AG(t)`; of `justice` the name may be left out."""
        kind, start = self.take().text, self.here.span
        name = None
        if self.here.kind == "word" and self.ahead().text == "==":
            name = self.take().text
            self.take()
        return t.Specification(_joined(start, self.here.span), kind, name, self.term())


def _parts(type_: t.TypeExpr) -> tuple[t.TypeExpr, ...]:
    return type_.parts if isinstance(type_, t.TypeOf) and type_.maker == "Prod" else (type_,)


def _joined(start: Span, end: Span) -> Span:
    return Span(start.file, start.line, start.column, end.end_line, end.end_column)


def _in_names_of_the_library(machine: t.Machine) -> t.Machine:
    declared = {each.name for each in machine.functions}

    def renamed(node: t.Node) -> t.Node:
        if isinstance(node, t.Apply) and node.name in _OF_LISTS and node.name not in declared:
            return replace(node, name=_OF_LISTS[node.name])
        return node

    return t.changed(machine, renamed)
