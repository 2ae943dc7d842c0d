"""What kinds of values meet in a model: mistakes that SPIN finds only while running, or never.

Every variable has a *sort*: a number, an mtype, or a channel of messages whose fields have sorts in turn. The fields of
a channel are known where it is made; for a variable or a parameter they follow from what it is used with. Sorts that
must be the same are unified, those of the fields with them, so that a channel may well carry itself. What cannot be
the same is a warning with its place, for SPIN takes such a model; too few fields are an error when they are sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from asset.errors import Diagnostic, ModelRejected
from asset.frontends.promela import syntax as s
from asset.frontends.promela.expressions import Scope, type_of
from asset.frontends.promela.naming import parts_of
from asset.frontends.promela.types import CHAN, Basic, Type, scalars
from asset.span import Span

NUMBER, MTYPE, CHANNEL = "a number", "an mtype", "a channel"


@dataclass(slots=True, eq=False)
class Sort:
    kind: str
    mtype: str | None = None
    fields: list[Sort] | None = None
    """Of a channel, if they are known."""
    same: Sort | None = None
    """The sort that this one was found to be the same as."""
    mixed: bool = False
    """Whether channels with other fields flow into it, too: what was warned of there says all."""

    def found(self) -> Sort:
        at = self
        while at.same is not None:
            at = at.same
        return at

    def __str__(self) -> str:
        if self.kind == CHANNEL and self.fields is not None:
            shown = (each.found().kind.split()[-1] for each in self.fields)
            return f"a channel of {{ {', '.join(shown)} }}"
        return f"mtype:{self.mtype}" if self.mtype not in (None, "mtype") else self.kind


def warnings(module: s.Module, scope: Scope) -> tuple[Diagnostic, ...]:
    """What does not fit together, by place."""
    found = _Checker(module, scope).run()
    return tuple(sorted(found, key=lambda each: (each.span.line, each.span.column) if each.span else (0, 0)))


class _Checker:
    def __init__(self, module: s.Module, scope: Scope) -> None:
        self._module = module
        self._scope = scope
        self._sorts: dict[tuple[s.Declaration, str], Sort] = {}
        self._processes = {p.name: p for p in module.processes}
        self._found: list[Diagnostic] = []
        self._messages: list[tuple[Span, s.Reference, list[s.Expr | None]]] = []
        self._told: set[str] = set()
        """What was warned of already, as the beginning of a sentence."""

    def run(self) -> list[Diagnostic]:
        declared = [*self._module.globals, *(d for p in self._module.processes for d in p.locals)]
        for declaration in declared:
            for path, made in (("", declaration), *declaration.within):
                if isinstance(made.initial, s.ChannelMaker):
                    sort = self._of_variable(declaration, path, CHAN)
                    sort.fields = [_sort(basic) for each in made.initial.fields for _, basic in scalars(each)]
        for declaration in declared:
            if isinstance(declaration.initial, s.Expr) and isinstance(declaration.type, Basic):
                target = self._of_variable(declaration, "", declaration.type)
                self._assigned(declaration.initial.span, target, declaration.initial, declaration.name)
        for process in self._module.processes:
            for node in parts_of(process.body):
                self._node(node)
        self._messages_in_turn()
        return self._found

    def _messages_in_turn(self) -> None:
        """Messages of channels whose fields are known come first: what they carry makes others known."""
        differing: list[tuple[Sort, tuple[str, Span, str]]] = []
        while self._messages:
            known = (m for m in self._messages if self._of(m[1]).found().fields is not None)
            message = next(known, self._messages[0])
            self._messages.remove(message)
            differing += self._message(*message)
        for sort, warning in differing:
            if not sort.found().mixed:
                self._warn(*warning)

    # --- what is written ----------------------------------------------------------------------------------------------

    def _node(self, node: s.Node) -> None:
        match node:
            case s.Assign(target=target, value=value):
                self._assigned(node.span, self._of(target), value, target.declaration.name)
            case s.Run():
                self._run(node)
            case s.Send(channel=channel, arguments=arguments):
                self._messages.append((node.span, channel, list(self._flat(arguments))))
            case s.Receive(channel=channel, arguments=arguments):
                values = [each.value for each in arguments]
                self._messages.append((node.span, channel, list(self._flat(values))))
            case s.Binary(op=op, left=left, right=right):
                self._operator(op, left, right)

    def _assigned(self, span: Span, target: Sort, value: s.Expr, name: str) -> None:
        if not _is_zero(value):
            self._unify(span, target, self._of(value), f"{name} is")

    def _run(self, e: s.Run) -> None:
        process = self._processes.get(e.process)
        if process is None:
            others = ", ".join(self._processes)
            raise ModelRejected.of(f"there is no proctype {e.process}", e.span, f"there are {others}")
        if len(e.arguments) != len(process.parameters):
            count = len(process.parameters)
            said = f"{e.process} takes {count} argument{'s' * (count != 1)}, and here {_are(len(e.arguments))}"
            raise ModelRejected.of(said, e.span, f"it is declared at {process.span}")
        for parameter, argument in zip(process.parameters, e.arguments, strict=True):
            if isinstance(parameter.type, Basic) and not _is_zero(argument):
                wanted = self._of_variable(parameter, "", parameter.type)
                self._unify(argument.span, wanted, self._of(argument), f"{parameter.name} of {e.process} is")

    def _message(
        self, span: Span, channel: s.Reference, arguments: Sequence[s.Expr | None]
    ) -> Iterator[tuple[Sort, tuple[str, Span, str]]]:
        """A warning if it has too few or too many fields for channels of this sort."""
        sort, name = self._of(channel).found(), channel.declaration.name
        if sort.fields is None:
            sort.fields = [Sort("") if argument is None else self._of(argument) for argument in arguments]
            return
        if len(sort.fields) != len(arguments):
            wanted, given = len(sort.fields), len(arguments)
            said = f"a message of {name} has {wanted} field{'s' * (wanted != 1)}, and here {_are(given)}"
            remedy = "give as many as it has; what is left out is 0, or anything"
            if isinstance(channel.declaration.initial, s.ChannelMaker):
                self._warn(said, span, remedy)
            else:
                yield sort, (said, span, remedy)
        for k, (wanted_sort, argument) in enumerate(zip(sort.fields, arguments, strict=False)):
            if argument is not None and not _is_zero(argument):
                what = f"field {k + 1} of {name} is"
                if what not in self._told:
                    self._unify(argument.span, wanted_sort, self._of(argument), what)

    def _operator(self, op: str, left: s.Expr, right: s.Expr) -> None:
        sorts = self._of(left).found(), self._of(right).found()
        if op in ("==", "!="):
            kinds = {each.kind for each in sorts}
            zero = _is_zero(left) or _is_zero(right)
            if CHANNEL in kinds and len(kinds - {""}) > 1 and not zero:
                self._warn(f"{sorts[0]} is compared with {sorts[1]}", left.span, "compare what is of one kind")
            elif sorts[0].kind == sorts[1].kind == MTYPE and sorts[0].mtype != sorts[1].mtype:
                self._warn(f"{sorts[0]} is compared with {sorts[1]}", left.span, "they have no value in common")
        elif op not in ("&&", "||"):
            for sort, side in zip(sorts, (left, right), strict=True):
                if sort.kind in (CHANNEL, MTYPE):
                    self._warn(f"{sort} is used as a number", side.span, f"it is not meant for {op}")

    # --- sorts --------------------------------------------------------------------------------------------------------

    def _of(self, e: s.Expr) -> Sort:
        match e:
            case s.Number(name=str() as name):
                return Sort(MTYPE, self._scope.constants[name][0]) if name in self._scope.constants else Sort(NUMBER)
            case s.Reference():
                found = type_of(e)
                path = "".join(f".{part.name}" for part in e.parts)
                return self._of_variable(e.declaration, path, found) if isinstance(found, Basic) else Sort("")
            case s.Conditional(then=then, orelse=orelse):
                return self._of(orelse if _is_zero(then) else then)
            case s.RemoteVariable():
                return Sort("")
        return Sort(NUMBER)

    def _of_variable(self, declaration: s.Declaration, path: str, type: Basic) -> Sort:
        return self._sorts.setdefault((declaration, path), _sort(type))

    def _flat(self, arguments: Sequence[s.Expr | None]) -> Iterator[s.Expr | None]:
        """A structure stands for its fields."""
        for argument in arguments:
            if isinstance(argument, s.Reference) and not isinstance(type_of(argument), Basic):
                for path, _ in scalars(type_of(argument)):
                    parts = tuple(s.Part(name, None) for name, _ in path)
                    yield s.Reference(argument.span, argument.declaration, argument.index, (*argument.parts, *parts))
            else:
                yield argument

    # --- the same -----------------------------------------------------------------------------------------------------

    def _unify(self, span: Span, a: Sort, b: Sort, what: str) -> None:
        a, b = a.found(), b.found()
        if a is b or not b.kind:
            return
        if not a.kind:
            a.same = b
            return
        if a.kind != b.kind:
            if CHANNEL in (a.kind, b.kind):
                self._told.add(what)
                self._warn(f"{what} {a}, and this is {b}", span, "is another variable meant?")
            return
        if a.kind == MTYPE and a.mtype != b.mtype:
            self._warn(f"{what} {a}, and this is {b}", span, "they have no value in common")
        elif a.kind == CHANNEL:
            self._unify_channels(span, a, b, what)

    def _unify_channels(self, span: Span, a: Sort, b: Sort, what: str) -> None:
        mine, theirs = a.fields, b.fields
        if mine is not None and theirs is not None and len(mine) != len(theirs):
            self._warn(f"{what} {a}, and this is {b}", span, "is another channel meant?")
            a.mixed = True
            return
        b.same, a.mixed = a, a.mixed or b.mixed
        a.fields = mine if mine is not None else theirs
        for x, y in zip(mine or (), theirs or (), strict=False):
            self._unify(span, x, y, f"a field of {what.removesuffix(' is')} is")

    def _warn(self, said: str, span: Span, remedy: str) -> None:
        if all(each.span != span for each in self._found):
            self._found.append(Diagnostic(said, span, remedy, "warning"))


def _sort(type: Type) -> Sort:
    if not isinstance(type, Basic):
        return Sort("")
    if type == CHAN:
        return Sort(CHANNEL)
    return Sort(NUMBER) if type.mtype is None else Sort(MTYPE, type.mtype)


def _is_zero(e: s.Expr) -> bool:
    return isinstance(e, s.Number) and e.value == 0 and e.name is None


def _are(count: int) -> str:
    return "is 1" if count == 1 else f"are {count}"
