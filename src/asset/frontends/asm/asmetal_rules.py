"""Terms and rules of AsmetaL."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar

from asset.frontends.asm import tree as t
from asset.frontends.asm.reading import Misread
from asset.frontends.asm.reading_rules import RuleReader
from asset.frontends.asm.reading_terms import DISJUNCTIONS
from asset.span import Span

T = TypeVar("T")

_QUANTIFIERS = ("forall", "exist", "exists")
_ROUNDED = {"rtoi": "quot", "rton": "quot", "floor": "div"}
"""What `/` is if one of these makes a whole number of it at once."""


class AsmetaLRules(RuleReader):
    _levels: ClassVar = ({"implies": "implies", "=>": "implies", "iff": "iff", "<=>": "iff"}, *DISJUNCTIONS)
    _nests_to_the_right: ClassVar = frozenset[str]()  # a implies b implies c is (a implies b) implies c
    _rounding: ClassVar = {"div": "quot", "mod": "rem"}

    # --- terms ----------------------------------------------------------------------------------------------------

    def primary(self) -> t.Term:
        found = self.simple()
        if found is not None:
            return found
        match self.here.text:
            case "(":
                return self._in_brackets()
            case "{":
                return self._set()
            case "[":
                return self._sequence()
            case "<" | "<>":
                return self._bag()
            case "<<":
                return self._rule_term()
            case "if":
                return self.if_term()
            case "switch":
                return self._switch_term()
            case "let":
                return self._let_term()
            case word if word in _QUANTIFIERS:
                return self._quantified()
        return _in_whole_numbers(self.called())

    def called(self) -> t.Name | t.Apply:
        """A name, with arguments if brackets follow; `a.f(t)` is f(a, t) of an agent a."""
        if self.ahead().text != "." or self.here.kind != "word":
            return super().called()
        if self.here.text.startswith("i") and self.here.text[1:].isdecimal():
            raise Misread(self.unsupported("a complex number", "count in whole numbers"))
        agent = t.Name(self.here.span, self.take().text)
        self.expect(".")
        of = super().called()
        args = of.args if isinstance(of, t.Apply) else ()
        return t.Apply(self.since(agent.span), of.name, (agent, *args))

    def _in_brackets(self) -> t.Term:
        """`(forall $x in D with G)`, `(t)` or a tuple."""
        if self.ahead().text not in _QUANTIFIERS:
            return self.bracketed()
        self.expect("(")
        found = self.inside()[0]
        self.expect(")")
        return found

    def _quantified(self) -> t.Term:
        start = self.here.span
        quantifier = "forall" if self.take().text == "forall" else "exist"
        if quantifier == "exist" and self.accept("unique"):
            quantifier = "unique"
        binders = self.binders()
        body = self.term() if self.accept("with") else t.Truth(start, True)
        return t.Quantified(self.since(start), quantifier, binders, body)

    def _sequence(self) -> t.Term:
        """`[a, b]`, `[a : b]` or `[$x in D | G : t]`."""
        start = self.expect("[").span
        if self._binds():
            found = self._comprehension(start, "sequence", self.inside_one)
            self.expect("]")
            return found
        if self.accept("]"):
            return t.SequenceDisplay(self.since(start), ())
        items = self.inside()
        if self.accept(":", ".."):
            interval = self._interval(items[0])
            self.expect("]")
            return t.Apply(self.since(start), "asSequence", (interval,))
        self.expect("]")
        return t.SequenceDisplay(self.since(start), items)

    def _bag(self) -> t.Term:
        """`<a, b>`, `<a : b>` or `<$x in D | G : t>`; what stands before `>` has no comparison outside brackets."""
        start = self.here.span
        if self.accept("<>"):
            return t.BagDisplay(start, ())
        self.expect("<")
        if self._binds():
            found: t.Term = self._comprehension(start, "bag", lambda: self._arithmetic(0))
        else:
            first = self._arithmetic(0)
            if self.accept(":"):
                high = self._arithmetic(0)
                step = self._arithmetic(0) if self.accept(",") else None
                found = t.BagDisplay(start, (), t.Interval(self.since(start), first, high, step))
            else:
                items = [first]
                while self.accept(","):
                    items.append(self._arithmetic(0))
                found = t.BagDisplay(self.since(start), tuple(items))
        self.expect(">", "end a bag with >, and put comparisons in it in brackets")
        return found

    def _rule_term(self) -> t.Term:
        """`<<r_name>>` or `<<r_name(D, E)>>`; the domains say which of several rules of the name is meant."""
        start = self.expect("<<").span
        name = self.word("the name of a rule").text
        if self.sees("("):
            self.arguments("(", ")")
        self.expect(">>")
        return t.RuleTerm(self.since(start), name)

    def _binds(self) -> bool:
        return self.here.text.startswith("$") and self.ahead().text == "in"

    def _comprehension(self, start: Span, collects: str, element: Callable[[], t.Term]) -> t.Comprehension:
        """`$x in D, … | G : t`, of maps `: k -> v`."""
        binders = self.binders()
        guard = self.term() if self.accept("|", "with") else None
        of = element() if self.accept(":") else binders[0].pattern
        value = element() if self.accept("->") else None
        return t.Comprehension(self.since(start), binders, guard, of, value, collects)

    def inside_one(self) -> t.Term:
        """A term inside brackets of some kind."""
        before, self._membership = self._membership, True
        try:
            return self.term()
        finally:
            self._membership = before

    def _interval(self, low: t.Term) -> t.Term:
        """`low : high`, or `low : high, step`."""
        high = self.term()
        step = self.term() if self.accept(",") else None
        return t.Interval(self.since(low.span), low, high, step)

    def _set(self) -> t.Term:
        """`{a, b}`, `{a : b}`, `{$x in D | G : t}` or `{a -> b}`."""
        start = self.expect("{").span
        if self.accept("}"):
            return t.SetDisplay(self.since(start), ())
        if self.accept("->"):
            self.expect("}")
            return t.MapDisplay(self.since(start), ())
        before, self._membership = self._membership, True
        found = self._of_set(start)
        self._membership = before
        self.expect("}")
        return found

    def _of_set(self, start: Span) -> t.Term:
        if self._binds():
            return self._comprehension(start, "set", self.term)
        first = self.term()
        if self.accept(":", ".."):
            return self._interval(first)
        if self.accept("->"):
            return self._map(first)
        items = [first]
        while self.accept(","):
            items.append(self.term())
        return t.SetDisplay(self.since(start), tuple(items))

    def _map(self, key: t.Term) -> t.Term:
        start, pairs = key.span, [(key, self.term())]
        while self.accept(","):
            key = self.term()
            self.expect("->")
            pairs.append((key, self.term()))
        return t.MapDisplay(self.since(start), tuple(pairs))

    def _switch_term(self) -> t.Term:
        start = self.here.span
        subject, arms, otherwise = self._switch(self.term)
        return t.CaseTerm(self.since(start), subject, arms, otherwise)

    def _switch(self, content: Callable[[], T]) -> tuple[t.Term, tuple[tuple[t.Term, T], ...], T | None]:
        """`switch t case u : … otherwise … endswitch`."""
        self.expect("switch")
        subject = self.term()
        arms: list[tuple[t.Term, T]] = []
        while self.accept("case"):
            value = self.term()
            self.expect(":")
            arms.append((value, content()))
        otherwise = content() if self._otherwise() else None
        self.expect("endswitch")
        return subject, tuple(arms), otherwise

    def _otherwise(self) -> bool:
        if not self.accept("otherwise"):
            return False
        self.accept(":")
        return True

    def _bindings(self) -> tuple[tuple[t.Term, t.Term], ...]:
        """`let ($x = t, $y = u) in`."""
        self.expect("let")
        self.expect("(")
        found = self.separated(self._binding, ",")
        self.expect(")")
        self.expect("in")
        return found

    def _binding(self) -> tuple[t.Term, t.Term]:
        pattern = self.pattern()
        self.expect("=")
        before, self._membership = self._membership, True
        value = self.term()
        self._membership = before
        return pattern, value

    def _let_term(self) -> t.Term:
        start = self.here.span
        bindings = self._bindings()
        body = self.term()
        self.expect("endlet")
        return t.LetTerm(self.since(start), bindings, body)

    # --- rules ----------------------------------------------------------------------------------------------------

    def rule(self) -> t.Rule:
        start = self.here.span
        match self.here.text:
            case "skip":
                self.take()
                return t.Skip(start)
            case "par" | "seq" as kind:
                return self._block(kind)
            case "if":
                return self.if_rule()
            case "switch":
                subject, arms, otherwise = self._switch(self.rule)
                return t.CaseRule(self.since(start), subject, arms, otherwise)
            case "choose":
                return self.choose_rule()
            case "forall":
                return self.forall_rule()
            case "while" | "whilerec" | "recwhile" | "iterate":
                return self._rounds()
            case "let":
                bindings = self._bindings()
                body = self.rule()
                self.expect("endlet")
                return t.LetRule(self.since(start), bindings, body)
            case "extend":
                return self._extend()
            case "local":
                return self._with_locals()
            case "try":
                return self._try()
        return self._update_or_call()

    def _block(self, kind: str) -> t.Rule:
        start = self.take().span
        end = f"end{kind}"
        rules = [self.rule()]
        while not self.accept(end):
            if self.here.kind == "end":
                self.fail(f"{end!r} is missing here", f"end every {kind} with {end}")
            rules.append(self.rule())
        make = t.Block if kind == "par" else t.SequenceRule
        return make(self.since(start), tuple(rules))

    def body(self) -> t.Rule:
        return self.rule()

    def opened(self) -> None:
        self.expect("do")

    def closed(self, word: str) -> None:
        """One rule needs no end."""

    def _rounds(self) -> t.Rule:
        """`while G do R`, or `iterate R enditerate`: until the rule makes no update any more.

        `whilerec G do R`, or `recwhile`, is if G then R, and then the same again: as many rounds as those of while."""
        start = self.here.span
        if self.accept("iterate"):
            body = self.rule()
            self.expect("enditerate", "end every iterate with enditerate")
            return t.RoundsRule(self.since(start), None, body)
        self.take()
        test = self.term()
        self.expect("do")
        body = self.rule()
        return t.RoundsRule(self.since(start), test, body)

    def _extend(self) -> t.Rule:
        start = self.expect("extend").span
        domain = self.word("a domain").text
        self.expect("with")
        names = self.separated(lambda: self.word("a variable").text, ",")
        self.expect("do")
        return t.ExtendRule(self.since(start), domain, names, self.rule())

    def _with_locals(self) -> t.Rule:
        """`local f: D [R] S`: R, and then S, with locations that nobody else sees."""
        start = self.here.span
        functions: list[t.Function] = []
        stages: list[t.Rule] = []
        while self.accept("dynamic") or self.accept("local"):
            self.accept("local")
            functions += self.functions("local", start)
            self.expect("[", "say how it begins: local f: D [f := t]")
            stages.append(self.rule())
            self.expect("]")
        return t.LocalsRule(self.since(start), tuple(functions), (*stages, self.rule()))

    def _try(self) -> t.Rule:
        """`try R catch f(t), g S`."""
        start = self.expect("try").span
        rule = self.rule()
        self.expect("catch", "say which locations it may not give two values: try R catch f($x) S")
        locations = self.separated(self.called, ",")
        return t.TryRule(self.since(start), rule, locations, self.rule())

    def functions(self, category: str, start: Span) -> list[t.Function]:
        """Declarations of functions."""
        raise NotImplementedError

    def call(self) -> t.CallRule:
        token = self.word("a rule")
        by_value = self.sees("(")
        args = self.arguments("(", ")") if by_value else self.arguments("[", "]")
        return t.CallRule(self.since(token.span), token.text, args, by_value)

    def _update_or_call(self) -> t.Rule:
        if self.here.kind != "word":
            self.fail("a rule is missing here", "write skip if nothing is to happen")
        if self.ahead().text == "[" and not self.here.text.startswith("$"):
            return self.call()
        location = self.called()
        if self.accept("<-"):
            call = self.call()
            return t.ReturnRule(self.since(location.span), location, call)
        if self.sees("["):
            args = self.arguments("[", "]")
            return t.FireRule(self.since(location.span), location, args)
        if self.accept(":="):
            value = self.term()
            return t.Update(self.since(location.span), location, value)
        if isinstance(location, t.Apply):
            return t.CallRule(location.span, location.name, location.args, by_value=True)
        if not location.name.startswith(("$", "r_")) and not self._ends_a_rule():
            self.fail("':=' is missing here", "an update is written f($x) := t, the call of a rule r_name[…]")
        return t.FireRule(location.span, location, ())

    def _ends_a_rule(self) -> bool:
        """Whether what stands here can come behind a rule."""
        return self.here.kind in ("word", "end")


def _in_whole_numbers(term: t.Name | t.Apply) -> t.Term:
    """`rtoi(a / b)` is a quotient of integers; no other number is made of `/`."""
    match term:
        case t.Apply(span=span, name=name, args=(t.Binary(op="/", left=left, right=right),)) if name in _ROUNDED:
            return t.Binary(span, _ROUNDED[name], left, right)
    return term
