"""Terms and rules of ASM-SL."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TypeVar

from asset.frontends.asm import tree as t
from asset.frontends.asm.reading_rules import RuleReader
from asset.span import Span

T = TypeVar("T")

_QUANTIFIERS = ("forall", "exists", "exist")
_ENDS = frozenset({"endblock", "endif", "else", "elseif", "endcase", "enddo", "endchoose", "endlet", "ifnone", ";"})


class SlRuleReader(RuleReader):
    # --- terms ----------------------------------------------------------------------------------------------------

    def primary(self) -> t.Term:
        found = self.simple()
        if found is not None:
            return found
        match self.here.text:
            case "_":
                return t.Wildcard(self.take().span)
            case "(":
                return self._quantified_in_brackets() or self.bracketed()
            case word if word in _QUANTIFIERS:
                return self._quantified(self.here.span)
            case "{":
                return self._set()
            case "[":
                return self.sequence_display()
            case "if":
                return self.if_term()
            case "case":
                return self._case_term()
            case "let":
                return self._let_term()
            case "MAP_TO_FUN" | "SET_TO_REL" as word:
                start = self.take().span
                argument = self.primary()
                return t.Apply(self.since(start), word, (argument,))
        return self.called()

    def _quantified_in_brackets(self) -> t.Term | None:
        if self.ahead().text not in _QUANTIFIERS:
            return None
        start = self.expect("(").span
        found = self._quantified(start)
        self.expect(")")
        return found

    def _quantified(self, start: Span) -> t.Term:
        """`forall x in S : P`, or `forall x in S with G : P`."""
        quantifier = "forall" if self.take().text == "forall" else "exist"
        binders = self.binders()
        if not self.accept(":", "with"):
            self.fail("':' is missing here", "write it like (forall x in S : …)")
        body = self.inside()[0]
        if self.accept(":"):
            guard, joined = body, "implies" if quantifier == "forall" else "and"
            body = t.Binary(self.since(start), joined, guard, self.inside()[0])
        return t.Quantified(self.since(start), quantifier, binders, body)

    def _set(self) -> t.Term:
        """`{a, b}`, `{a .. b}`, `{t | x in S with G}`, `{k -> v, …}` or `{k -> v | x in S}`."""
        start = self.expect("{").span
        if self.accept("}"):
            return t.SetDisplay(self.since(start), ())
        before, self._membership = self._membership, True
        found = self._set_from(self.term())
        self._membership = before
        self.expect("}")
        return found

    def _set_from(self, first: t.Term) -> t.Term:
        if self.accept("..", ":"):
            return t.Interval(first.span, first, self.term())
        value = self.term() if self.accept("->") else None
        if self.sees("|") and value is None and self.ahead(2).text in ("|", "}"):
            items = [first]
            while self.accept("|"):
                items.append(self.term())
            return t.SetDisplay(first.span, tuple(items))
        if self.accept("|"):
            binders = self.binders()
            guard = self.term() if self.accept("with") else None
            return t.Comprehension(first.span, binders, guard, first, value)
        if value is not None:
            pairs = [(first, value)]
            while self.accept(","):
                key = self.term()
                self.expect("->")
                pairs.append((key, self.term()))
            return t.MapDisplay(first.span, tuple(pairs))
        items = [first]
        while self.accept(","):
            items.append(self.term())
        return t.SetDisplay(first.span, tuple(items))

    def _case_term(self) -> t.Term:
        start = self.here.span
        subject, arms, otherwise = self._cases(self.term)
        return t.CaseTerm(self.since(start), subject, arms, otherwise)

    def _cases(self, content: Callable[[], T]) -> tuple[t.Term, tuple[tuple[t.Term, T], ...], T | None]:
        """`case t of pattern : …; … otherwise … endcase`."""
        self.expect("case")
        subject = self.term()
        self.expect("of")
        arms: list[tuple[t.Term, T]] = []
        otherwise = None
        while not self.sees("endcase"):
            if self.accept("otherwise"):
                self.accept(":")
                otherwise = content()
            else:
                pattern = self.primary()
                self.expect(":", "write it like case t of pattern : …; … endcase")
                arms.append((pattern, content()))
            self.accept(";")
        self.expect("endcase")
        return subject, tuple(arms), otherwise

    def _binding(self) -> tuple[t.Term, t.Term]:
        pattern = self.pattern()
        self.expect("==", "write it like let x == t in … endlet")
        return pattern, self.operand()

    def _let_term(self) -> t.Term:
        start = self.expect("let").span
        bindings = self.separated(self._binding, ",")
        self.expect("in")
        body = self.term()
        self.expect("endlet")
        return t.LetTerm(self.since(start), bindings, body)

    # --- rules ----------------------------------------------------------------------------------------------------

    def rules(self, heads: Container[str] = ()) -> t.Rule:
        """All rules up to the end of what they are in: they fire together."""
        start = self.here.span
        found = []
        while self.here.kind != "end" and self.here.text not in _ENDS and self.here.text not in heads:
            found.append(self.rule())
        if not found:
            self.fail("a rule is missing here", "write skip if nothing is to happen")
        return found[0] if len(found) == 1 else t.Block(self.since(start), tuple(found))

    def rule(self) -> t.Rule:
        start = self.here.span
        match self.here.text:
            case "skip":
                self.take()
                return t.Skip(start)
            case "block":
                self.take()
                inside = self.rules()
                self.expect("endblock", "end every block with endblock")
                return inside
            case "if":
                return self.if_rule()
            case "case":
                subject, arms, otherwise = self._cases(self.rules)
                return t.CaseRule(self.since(start), subject, arms, otherwise)
            case "do":
                self.take()
                return self.forall_rule()
            case "choose":
                return self.choose_rule()
            case "let":
                self.take()
                bindings = self.separated(self._binding, ",")
                self.expect("in")
                body = self.rules()
                self.expect("endlet")
                return t.LetRule(self.since(start), bindings, body)
        return self.update_or_call(self.called())

    def body(self) -> t.Rule:
        return self.rules()

    def opened(self) -> None:
        """Rules follow at once."""

    def closed(self, word: str) -> None:
        self.expect(word, f"end what was begun with {word}")
