"""Which channels a variable can name: all that flow into it by assignments, arguments and messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from asset.frontends.promela import syntax as s
from asset.frontends.promela.expressions import type_of
from asset.frontends.promela.types import CHAN, Basic, Structure, leaves, scalars
from asset.span import NOWHERE

NOTHING = s.Declaration("no channel", CHAN, None, NOWHERE)
"""Stands for the number 0 among the channels that a variable can name."""

Name = tuple[s.Declaration, str]
"""A leaf of a variable that can name a channel, by its path; or `(maker, "?k")`, field k of the messages there."""


def parts_of(node: object) -> Iterator[s.Node]:
    """The node and all below it."""
    if isinstance(node, s.Node):
        yield node
        for slot in _slots(type(node)):
            yield from parts_of(getattr(node, slot))
    elif isinstance(node, tuple):
        for each in node:
            yield from parts_of(each)
    elif isinstance(node, s.Part):
        yield from parts_of(node.index)


def _slots(kind: type) -> Iterator[str]:
    for base in kind.__mro__:
        for slot in getattr(base, "__slots__", ()):
            if slot not in ("span", "declaration"):
                yield slot


class ChannelNames:
    """`named` are the declarations that make the channels which a name can mean, with NOTHING if it may name none;
    `fixed` names never change."""

    def __init__(self, module: s.Module) -> None:
        self._flows: set[tuple[Name, Name]] = set()
        self._sends: list[s.Send] = []
        self._receives: list[s.Receive] = []
        self._processes = {p.name: p for p in module.processes}
        self.named: dict[Name, set[s.Declaration]] = defaultdict(set)
        self.assigned: set[s.Declaration] = set()
        declared = [*module.globals, *(d for p in module.processes for d in p.locals)]
        own = [d for d in declared if isinstance(d.initial, s.ChannelMaker)]
        self.named[NOTHING, ""].add(NOTHING)
        self.makers = [*own, *(made for d in declared for _, made in d.within)]
        for maker in own:
            self.named[maker, ""].add(maker)
        for declaration in declared:
            for path, made in declaration.within:
                self.named[declaration, path].add(made)
        for declaration in declared:
            if declaration.initial is not None and isinstance(declaration.initial, s.Expr):
                self._flow((declaration, ""), declaration.initial)
        given = {p for process in module.processes if not process.active for p in process.parameters}
        for declaration in declared:
            if declaration.initial is None and declaration not in given:
                for leaf in leaves(declaration.type):
                    if leaf.type == CHAN and not self.named[declaration, leaf.path]:
                        self.named[declaration, leaf.path].add(NOTHING)
        for process in module.processes:
            for node in parts_of(process.body):
                self._statement(node)
        self._solve()
        self.fixed = {m for m in own if m not in self.assigned and not m.parameter}

    def of(self, value: s.Expr) -> set[s.Declaration]:
        """The declarations of the channels that the value can be."""
        if not isinstance(value, s.Reference):
            return {NOTHING}
        return self.named[name_of(value)]

    def _statement(self, node: s.Node) -> None:
        match node:
            case s.Assign(target=target, value=value):
                self._assign(target, value)
            case s.Run(process=name, arguments=arguments) if name in self._processes:
                for parameter, argument in zip(self._processes[name].parameters, arguments, strict=False):
                    self._flow((parameter, ""), argument)
            case s.Send():
                self._sends.append(node)
            case s.Receive():
                self._receives.append(node)
                taken = (a.value for a in node.arguments if not a.matched)
                self.assigned |= {value.declaration for value in taken if isinstance(value, s.Reference)}

    def _assign(self, target: s.Reference, value: s.Expr) -> None:
        self.assigned.add(target.declaration)
        if type_of(target) == CHAN:
            self._flow(name_of(target), value)

    def _flow(self, into: Name, value: s.Expr) -> bool:
        """Whatever the value can name, `into` can name. Whether anything is new."""
        before = len(self._flows)
        if not isinstance(value, s.Reference):
            self._flows.add(((NOTHING, ""), into))
        for node in parts_of(value):
            if isinstance(node, s.Reference):
                found = type_of(node)
                if found == CHAN:
                    self._flows.add((name_of(node), into))
                elif isinstance(found, Structure):
                    for leaf in _channels_in(found):
                        self._flows.add(((node.declaration, name_of(node)[1] + leaf), (into[0], into[1] + leaf)))
        return len(self._flows) > before

    def _solve(self) -> None:
        changed = True
        while changed:
            changed = self._messages()
            for source, into in self._flows:
                if not self.named[source] <= self.named[into]:
                    self.named[into] |= self.named[source]
                    changed = True

    def _messages(self) -> bool:
        """Fields of messages are names, too: those of all channels that a send or a receive can mean."""
        changed = False
        for send in self._sends:
            for maker in tuple(self.named[name_of(send.channel)]):
                for k, argument in enumerate(_flat(send.arguments)):
                    changed |= argument is not None and self._flow((maker, f"?{k}"), argument)
        for receive in self._receives:
            for maker in tuple(self.named[name_of(receive.channel)]):
                for k, argument in enumerate(_flat(tuple(a.value for a in receive.arguments))):
                    if isinstance(argument, s.Reference) and type_of(argument) == CHAN:
                        flow = ((maker, f"?{k}"), name_of(argument))
                        changed |= flow not in self._flows
                        self._flows.add(flow)
        return changed


def name_of(e: s.Reference) -> Name:
    return e.declaration, "".join(f".{part.name}" for part in e.parts)


def _channels_in(structure: Structure) -> Iterator[str]:
    return (leaf.path for leaf in leaves(structure) if leaf.type == CHAN)


def _flat(arguments: tuple[s.Expr | None, ...]) -> Iterator[s.Expr | None]:
    for argument in arguments:
        if isinstance(argument, s.Reference) and not isinstance(type_of(argument), Basic):
            for path, _ in scalars(type_of(argument)):
                parts = tuple(s.Part(name, None if k is None else s.Number(argument.span, k)) for name, k in path)
                yield s.Reference(argument.span, argument.declaration, argument.index, (*argument.parts, *parts))
        else:
            yield argument
