"""Rules, as far as both notations write them alike: conditions, cases, loops, choices.

AsmetaL has one rule wherever a rule stands, behind `do` in loops and choices. ASM-SL has any number of rules there, up
to a word that ends them. `body`, `opened` and `closed` are that difference.
"""

from __future__ import annotations

from abc import abstractmethod

from asset.frontends.asm import tree as t
from asset.frontends.asm.reading_terms import TermReader


class RuleReader(TermReader):
    """Reads rules; a notation says what a body is and what else is a rule."""

    @abstractmethod
    def rule(self) -> t.Rule:
        """One rule."""

    @abstractmethod
    def body(self) -> t.Rule:
        """What stands in a branch, a loop or a choice."""

    @abstractmethod
    def opened(self) -> None:
        """What comes before the body of a loop or a choice."""

    @abstractmethod
    def closed(self, word: str) -> None:
        """What comes behind it."""

    def if_rule(self) -> t.Rule:
        start = self.take().span
        test = self.term()
        self.expect("then")
        then = self.body()
        if self.sees("elseif"):
            return t.IfRule(self.since(start), test, then, self.if_rule())
        orelse = self.body() if self.accept("else") else None
        self.expect("endif", "end every if with endif, and put several rules between par and endpar")
        return t.IfRule(self.since(start), test, then, orelse)

    def forall_rule(self) -> t.Rule:
        start = self.expect("forall").span
        binders, guard = self._bound()
        self.opened()
        body = self.body()
        self.closed("enddo")
        return t.ForallRule(self.since(start), binders, guard, body)

    def choose_rule(self) -> t.Rule:
        start = self.expect("choose").span
        binders, guard = self._bound()
        self.opened()
        body = self.body()
        otherwise = self.body() if self.accept("ifnone") else None
        self.closed("endchoose")
        return t.ChooseRule(self.since(start), binders, guard, body, otherwise)

    def _bound(self) -> tuple[tuple[t.Binder, ...], t.Term | None]:
        binders = self.binders()
        return binders, self.term() if self.accept("with") else None

    def update_or_call(self, location: t.Name | t.Apply) -> t.Rule:
        """What begins with a name that is followed by brackets or by nothing."""
        if self.accept(":="):
            value = self.term()
            return t.Update(self.since(location.span), location, value)
        args = location.args if isinstance(location, t.Apply) else ()
        return t.CallRule(location.span, location.name, args)
