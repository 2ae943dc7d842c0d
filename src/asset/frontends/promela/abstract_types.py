"""Sets and queues of the constants of an enumeration, an extension that a file asks for: `#pragma asset collections`.

    enum artist = { a1, a2 };
    set listening = [2] of { artist };
    queue waiting = [2] of { artist };

A value is in a collection at most once. A set is a bit for each constant, so that the order of insertions is forgotten;
a queue is a channel, which keeps it. All operations are one step. They follow a paper of
SPIN 2005 on abstract data types in Promela.
"""

from __future__ import annotations

from dataclasses import dataclass

from asset.errors import ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.lexing import Token
from asset.frontends.promela.statements import StatementParser
from asset.frontends.promela.types import BIT, CHAN, Basic, Type

SET, QUEUE = "set", "queue"
METHODS = {SET: ("insert", "erase", "find"), QUEUE: ("push", "pop", "front", "find")}


@dataclass(frozen=True, slots=True)
class Collection:
    kind: str
    mtype: str
    """The enumeration whose constants it holds."""


class CollectionParser(StatementParser):
    """A parser of statements that knows sets and queues, if the file asks for them."""

    extended = False

    @property
    def _collections(self) -> dict[s.Declaration, Collection]:
        return self.scope.collections

    # --- declarations -------------------------------------------------------------------------------------------------

    def at_type(self) -> bool:
        words = (SET, QUEUE, *self.scope.enumerations) if self.extended else ()
        return super().at_type() or (self.stream.at(*words) and self.stream.ahead().text != ".")

    def type(self) -> Type:
        if self.stream.now.text in self.scope.enumerations:
            return Basic("mtype", 8, mtype=self.stream.next().text)
        return super().type()

    def declared(self) -> list[s.Stmt]:
        if not self.extended or not self.stream.at(SET, QUEUE):
            return super().declared()
        kind, name = self.stream.next(), self.stream.name("the name of a collection")
        self.stream.expect("=")
        self.stream.expect("[")
        room = self._constant("the size of a collection", 1, 255)
        for text in ("]", "of", "{"):
            self.stream.expect(text)
        mtype = self.stream.name("an enumeration")
        self.stream.expect("}")
        values = self.scope.enumerations.get(mtype.text)
        if values is None:
            raise ModelRejected.of(f"there is no enumeration {mtype.text}", mtype.span, "declare it: enum t = { a, b }")
        if room < values:
            said = f"{mtype.text} has {values} constants, and there is room for {room}"
            raise ModelRejected.of(said, kind.span, f"make room for all of them: [{values}]")
        self._collect(kind, name, Collection(kind.text, mtype.text), values)
        return []

    def _collect(self, kind: Token, name: Token, collection: Collection, values: int) -> None:
        field = Basic("mtype", 8, mtype=collection.mtype)
        queue = kind.text == QUEUE
        declaration = s.Declaration(
            name.text, CHAN if queue else BIT, None if queue else values + 1, name.span, self.owner
        )
        if queue:
            declaration.initial = s.ChannelMaker(kind.span, values, (field,))
        if name.text in self.scope.levels[-1]:
            raise ModelRejected.of(f"{name.text} is declared twice here", name.span, "use another name")
        self.scope.levels[-1][name.text] = declaration
        self.locals.append(declaration)
        self._collections[declaration] = collection

    # --- methods ------------------------------------------------------------------------------------------------------

    def _statement(self) -> list[s.Stmt]:
        found = self._collection_ahead()
        if found is None or self.stream.ahead(2).text in ("find",):
            return super()._statement()
        declaration, method, value = self._call(found)
        channel = s.Reference(method.span, declaration)
        match method.text:
            case "insert" | "erase" if value is not None:
                bit = s.Number(method.span, int(method.text == "insert"))
                return [s.Assign(method.span, s.Reference(method.span, declaration, value), bit)]
            case "push" if value is not None:
                return [_pushed(channel, value)]
            case _:
                return [_received(channel, s.Argument(method.span, None, False), keeps=method.text == "front")]

    def assigned(self, target: s.Reference) -> s.Stmt | None:
        found = self._collection_ahead()
        if found is None or self.stream.ahead(2).text not in ("pop", "front"):
            return None
        declaration, method, _ = self._call(found)
        argument = s.Argument(target.span, target, False)
        return _received(s.Reference(method.span, declaration), argument, keeps=method.text == "front")

    def _name(self) -> s.Expr:
        found = self._collection_ahead()
        if found is None:
            return super()._name()
        declaration, method, value = self._call(found)
        if method.text != "find" or value is None:
            said = f"{method.text} is a statement of its own, or all that is assigned"
            raise ModelRejected.of(said, method.span, f"write x = {declaration.name}.{method.text}()")
        if self._collections[declaration].kind == QUEUE:
            argument = s.Argument(method.span, value, True)
            there: s.Expr = s.Poll(method.span, s.Reference(method.span, declaration), (argument,), True)
        else:
            there = s.Reference(method.span, declaration, value)
        return s.Conditional(method.span, there, value, s.Number(method.span, 0))

    def _collection_ahead(self) -> s.Declaration | None:
        found = self.scope.find(self.stream.now.text)
        return found if found in self._collections and self.stream.ahead().text == "." else None

    def _call(self, declaration: s.Declaration) -> tuple[s.Declaration, Token, s.Expr | None]:
        self.stream.next()
        self.stream.next()
        method = self.stream.name("an operation")
        known = METHODS[self._collections[declaration].kind]
        if method.text not in known:
            kind = self._collections[declaration].kind
            raise ModelRejected.of(f"a {kind} has no {method.text}", method.span, f"it has {', '.join(known)}")
        self.stream.expect("(")
        value = None if method.text in ("pop", "front") else self.expression()
        self.stream.expect(")")
        return declaration, method, value


def _pushed(channel: s.Reference, value: s.Expr) -> s.Stmt:
    """A value that is there already stays where it is."""
    span = channel.span
    there = s.Condition(span, s.Poll(span, channel, (s.Argument(span, value, True),), True))
    send = s.Send(span, channel, (value,), False)
    return s.Sequence(span, "d_step", (s.Choice(span, ((there,), (s.Else(span), send)), False),))


def _received(channel: s.Reference, argument: s.Argument, keeps: bool) -> s.Stmt:
    return s.Receive(channel.span, channel, (argument,), False, keeps)
