"""Terms and rules of ASM-SL."""

from __future__ import annotations

from collections.abc import Container

from asset.frontends.asm import tree as t
from asset.frontends.asm.reading_terms import TermReader

_ENDS = frozenset({"endblock", "endif", "else", "elseif", "endcase", "enddo", "endchoose", "endlet", "ifnone", ";"})


class SlRuleReader(TermReader):
    # --- terms ----------------------------------------------------------------------------------------------------

    def primary(self) -> t.Term:
        found = self.simple()
        if found is not None:
            return found
        match self.here.text:
            case "_":
                return t.Wildcard(self.take().span)
            case "(":
                return self._quantified() or self.bracketed()
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

    def _quantified(self) -> t.Term | None:
        """`(forall x in S : G)`."""
        if self.ahead().text not in ("forall", "exists", "exist"):
            return None
        start = self.expect("(").span
        quantifier = "forall" if self.take().text == "forall" else "exist"
        binders = self.binders()
        if not self.accept(":", "with"):
            self.fail("':' is missing here", "write it like (forall x in S : …)")
        body = self.inside()[0]
        self.expect(")")
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
        start = self.expect("case").span
        subject = self.term()
        self.expect("of")
        arms: list[tuple[t.Term, t.Term]] = []
        otherwise = None
        while not self.sees("endcase"):
            if self.accept("otherwise"):
                self.accept(":")
                otherwise = self.term()
                continue
            pattern = self.primary()
            self.expect(":")
            arms.append((pattern, self.term()))
            self.accept(";")
        self.expect("endcase")
        return t.CaseTerm(self.since(start), subject, tuple(arms), otherwise)

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
                return self._if_rule()
            case "case":
                return self._case_rule()
            case "do":
                return self._forall()
            case "choose":
                return self._choose()
            case "let":
                self.take()
                bindings = self.separated(self._binding, ",")
                self.expect("in")
                body = self.rules()
                self.expect("endlet")
                return t.LetRule(self.since(start), bindings, body)
        location = self.called()
        if self.accept(":="):
            value = self.term()
            return t.Update(self.since(start), location, value)
        args = location.args if isinstance(location, t.Apply) else ()
        return t.CallRule(location.span, location.name, args)

    def _if_rule(self) -> t.Rule:
        start = self.take().span
        test = self.term()
        self.expect("then")
        then = self.rules()
        if self.sees("elseif"):
            return t.IfRule(self.since(start), test, then, self._if_rule())
        orelse = self.rules() if self.accept("else") else None
        self.expect("endif", "end every if with endif")
        return t.IfRule(self.since(start), test, then, orelse)

    def _case_rule(self) -> t.Rule:
        start = self.expect("case").span
        subject = self.term()
        self.expect("of")
        arms: list[tuple[t.Term, t.Rule]] = []
        otherwise = None
        while not self.sees("endcase"):
            if self.accept("otherwise"):
                self.accept(":")
                otherwise = self.rules()
            else:
                pattern = self.primary()
                self.expect(":", "write it like case t of pattern : rule; … endcase")
                arms.append((pattern, self.rules()))
            self.accept(";")
        self.expect("endcase")
        return t.CaseRule(self.since(start), subject, tuple(arms), otherwise)

    def _forall(self) -> t.Rule:
        start = self.expect("do").span
        self.expect("forall")
        binders = self.binders()
        guard = self.term() if self.accept("with") else None
        body = self.rules()
        self.expect("enddo", "end every do forall with enddo")
        return t.ForallRule(self.since(start), binders, guard, body)

    def _choose(self) -> t.Rule:
        start = self.expect("choose").span
        binders = self.binders()
        guard = self.term() if self.accept("with") else None
        body = self.rules()
        otherwise = self.rules() if self.accept("ifnone") else None
        self.expect("endchoose", "end every choose with endchoose")
        return t.ChooseRule(self.since(start), binders, guard, body, otherwise)
