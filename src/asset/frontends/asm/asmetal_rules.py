"""Terms and rules of AsmetaL."""

from __future__ import annotations

from asset.errors import Diagnostic
from asset.frontends.asm import tree as t
from asset.frontends.asm.reading import Misread
from asset.frontends.asm.reading_terms import TermReader

_UNSUPPORTED = {
    "iterate": "write the rounds as steps of the machine",
    "while": "write the rounds as steps of the machine",
    "recursive": "write the rounds as steps of the machine",
    "try": "say with if when a rule is to fire",
}


class RuleReader(TermReader):
    def unsupported(self, what: str, remedy: str) -> Diagnostic:
        return Diagnostic(f"{what} is not part of what is read", self.here.span, remedy)

    # --- terms ----------------------------------------------------------------------------------------------------

    def primary(self) -> t.Term:
        found = self.simple()
        if found is not None:
            return found
        match self.here.text:
            case "(":
                return self._quantified() or self.bracketed()
            case "{":
                return self._set()
            case "[":
                return self.sequence_display()
            case "if":
                return self.if_term()
            case "switch":
                return self._switch_term()
            case "let":
                return self._let_term()
        if self.here.kind == "text":
            raise Misread(self.unsupported("a string", "use an enum domain"))
        return self.called()

    def _quantified(self) -> t.Term | None:
        """`(forall $x in D with G)`."""
        if self.ahead().text not in ("forall", "exist", "exists"):
            return None
        start = self.expect("(").span
        quantifier = "forall" if self.take().text == "forall" else "exist"
        if quantifier == "exist" and self.accept("unique"):
            quantifier = "unique"
        binders = self.binders()
        self.expect("with", "write it like (forall $x in D with …)")
        body = self.inside()[0]
        self.expect(")")
        return t.Quantified(self.since(start), quantifier, binders, body)

    def _set(self) -> t.Term:
        """`{a, b}`, `{a : b}`, `{$x in D | G : t}` or `{a -> b}`."""
        start = self.expect("{").span
        if self.accept("}"):
            return t.SetDisplay(self.since(start), ())
        if self.accept("->"):
            self.expect("}")
            return t.MapDisplay(self.since(start), ())
        if self.here.text.startswith("$") and self.ahead().text == "in":
            binders = self.binders()
            guard = self.term() if self.accept("|") else None
            element = self.term() if self.accept(":") else binders[0].pattern
            self.expect("}")
            return t.Comprehension(self.since(start), binders, guard, element)
        first = self.term()
        if self.accept(":", ".."):
            high = self.term()
            self.expect("}")
            return t.Interval(self.since(start), first, high)
        if self.accept("->"):
            return self._map(first)
        items = [first]
        while self.accept(","):
            items.append(self.term())
        self.expect("}")
        return t.SetDisplay(self.since(start), tuple(items))

    def _map(self, key: t.Term) -> t.Term:
        pairs = [(key, self.term())]
        while self.accept(","):
            key = self.term()
            self.expect("->")
            pairs.append((key, self.term()))
        self.expect("}")
        return t.MapDisplay(self.since(key.span), tuple(pairs))

    def _switch_term(self) -> t.Term:
        start = self.expect("switch").span
        subject = self.term()
        arms: list[tuple[t.Term, t.Term]] = []
        while self.accept("case"):
            value = self.term()
            self.expect(":")
            arms.append((value, self.term()))
        otherwise = self.term() if self._otherwise() else None
        self.expect("endswitch")
        return t.CaseTerm(self.since(start), subject, tuple(arms), otherwise)

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
                return self._if_rule()
            case "switch":
                return self._switch_rule()
            case "choose":
                return self._choose()
            case "forall":
                return self._forall()
            case "let":
                bindings = self._bindings()
                body = self.rule()
                self.expect("endlet")
                return t.LetRule(self.since(start), bindings, body)
            case "extend":
                return self._extend()
            case word if word in _UNSUPPORTED:
                raise Misread(self.unsupported(f"the rule {word!r}", _UNSUPPORTED[word]))
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

    def _if_rule(self) -> t.Rule:
        start = self.take().span
        test = self.term()
        self.expect("then")
        then = self.rule()
        if self.sees("elseif"):
            return t.IfRule(self.since(start), test, then, self._if_rule())
        orelse = self.rule() if self.accept("else") else None
        self.expect("endif", "end every if with endif, and put several rules between par and endpar")
        return t.IfRule(self.since(start), test, then, orelse)

    def _switch_rule(self) -> t.Rule:
        start = self.expect("switch").span
        subject = self.term()
        arms: list[tuple[t.Term, t.Rule]] = []
        while self.accept("case"):
            value = self.term()
            self.expect(":")
            arms.append((value, self.rule()))
        otherwise = self.rule() if self._otherwise() else None
        self.expect("endswitch")
        return t.CaseRule(self.since(start), subject, tuple(arms), otherwise)

    def _choose(self) -> t.Rule:
        start = self.expect("choose").span
        binders = self.binders()
        guard = self.term() if self.accept("with") else None
        self.expect("do")
        body = self.rule()
        otherwise = self.rule() if self.accept("ifnone") else None
        return t.ChooseRule(self.since(start), binders, guard, body, otherwise)

    def _forall(self) -> t.Rule:
        start = self.expect("forall").span
        binders = self.binders()
        guard = self.term() if self.accept("with") else None
        self.expect("do")
        return t.ForallRule(self.since(start), binders, guard, self.rule())

    def _extend(self) -> t.Rule:
        start = self.expect("extend").span
        domain = self.word("a domain").text
        self.expect("with")
        names = self.separated(lambda: self.word("a variable").text, ",")
        self.expect("do")
        return t.ExtendRule(self.since(start), domain, names, self.rule())

    def call(self) -> t.CallRule:
        token = self.word("a rule")
        args = self.arguments("(", ")") if self.sees("(") else self.arguments("[", "]")
        return t.CallRule(self.since(token.span), token.text, args)

    def _update_or_call(self) -> t.Rule:
        if self.here.kind != "word":
            self.fail("a rule is missing here", "write skip if nothing is to happen")
        if self.ahead().text == "[":
            return self.call()
        start = self.here.span
        location = self.called()
        if self.accept(":="):
            value = self.term()
            return t.Update(self.since(start), location, value)
        if isinstance(location, t.Apply):
            return t.CallRule(location.span, location.name, location.args)
        self.fail("':=' is missing here", "an update is written f($x) := t, the call of a rule r_name[…]")
