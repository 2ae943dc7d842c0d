"""From a file to a program: reading, imports, parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from asset.errors import Diagnostic, ModelRejected, UsageError
from asset.frontends.asm import timers
from asset.frontends.asm import tree as t
from asset.frontends.asm.asm_sl import AsmSl
from asset.frontends.asm.asmetal import AsmetaL
from asset.frontends.asm.calling import Limits
from asset.frontends.asm.inferring import Bounded, with_bounds
from asset.frontends.asm.lowering import Lowered, Request, lower
from asset.frontends.asm.overloads import told_apart
from asset.frontends.asm.reading import Misread
from asset.frontends.asm.tokens import Notation, notation_of, tokens_of
from asset.ir.program import Program
from asset.span import Span

LIBRARIES = frozenset({"StandardLibrary", "CTLLibrary", "LTLLibrary", "CTLlibrary", "LTLlibrary"})
"""Modules whose functions are known without being read."""

LIMITS = tuple(each.name for each in fields(Limits))
"""Parameters that every machine has."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """What can be given with -p: its name, its value as text, and what it is."""

    name: str
    value: str
    takes: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """A machine that was read and lowered."""

    program: Program
    sources: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    lowered: Lowered
    machine: t.Machine
    notation: Notation
    notes: tuple[str, ...] = ()
    """What a reader of the verdict must know of how the machine was read."""


def load(
    file: str, given: Mapping[str, str], asked: Sequence[tuple[str, str]] = (), separate_inputs: bool = False
) -> Loaded:
    """The machine in the file, with parameters, of which formulas are asked as well: `--ctl` or `--ltl` and a text.

    With `separate_inputs`, each input of a step is an index of its own: such a program may have too many commands to
    list them.
    Raises ModelRejected with all that is wrong with the text, UsageError if a parameter or a formula is.
    """
    reading = _Files()
    machine = told_apart(reading.machine(Path(file)))
    if reading.problems:
        raise ModelRejected(*reading.problems)
    notation = reading.notations[0]
    machine = replace(machine, functions=(*timers.clocks(machine), *machine.functions))
    changed = _Parameters(machine, notation, given)
    formulas = tuple(_formula(option, text, notation) for option, text in asked)
    machine = replace(changed.machine, specifications=(*changed.machine.specifications, *formulas))
    bounded = with_bounds(machine)
    machine = bounded.machine
    texts = {name: text.splitlines() for name, text in reading.texts.items()}
    texts |= {option: [text] for option, text in asked}
    request = Request(
        machine,
        tuple(sorted(given.items())),
        changed.sizes,
        changed.initial,
        lambda span: _text(texts, span),
        changed.limits,
        separate_inputs,
    )
    lowered = lower(request)
    sources = tuple(file for file in reading.texts if Path(file).is_file())
    notes = (*reading.notes, *_unstored(lowered, sources), *_bounded(bounded))
    return Loaded(lowered.program, sources, _parameters(machine), lowered, machine, notation, notes)


def _unstored(lowered: Lowered, sources: Sequence[str]) -> list[str]:
    """The outputs that are not stored."""
    names = [each.name for each in lowered.unstored if each.span.file in sources]
    if not names:
        return []
    verb = "is" if len(names) == 1 else "are"
    return [f"{', '.join(names)} {verb} not stored and not checked for conflicts: an output that nothing reads"]


def _bounded(bounded: Bounded) -> Iterator[str]:
    """The functions that have a bound that nobody gave."""
    told, compared = bounded.told, bounded.compared
    if told:
        what = "is all that the text gives it" if len(told) == 1 else "are all that the text gives them"
        yield f"what {', '.join(told)} can be {what}: //@ {told[0]} in … would say it"
    if compared:
        what = "is only compared, and takes" if len(compared) == 1 else "are only compared, and take"
        yield f"{', '.join(compared)} {what} one number in the place of all that the machine cannot tell apart"


class _Files:
    """Reads a file and the modules that it imports."""

    def __init__(self) -> None:
        self.problems: list[Diagnostic] = []
        self.texts: dict[str, str] = {}
        self.notations: list[Notation] = []
        self.notes: list[str] = []
        self._read: set[Path] = set()

    def machine(self, path: Path) -> t.Machine:
        self._read.add(path.resolve())  # a module may be imported from several places
        return self._parsed(path, _read(path))

    def _parsed(self, path: Path, text: str) -> t.Machine:
        self.texts[str(path)] = text
        notation = notation_of(text)
        self.notations.append(notation)
        tokens, wrong = tokens_of(text, str(path), notation)
        if notation is Notation.ASMETAL:
            reader: AsmetaL | AsmSl = AsmetaL(tokens)
        else:
            reader = AsmSl(tokens)
        found = reader.machine(path.stem)
        self.problems += [*wrong, *reader.problems]
        for name, span in found.imports:
            found = self._with_module(found, path, name, span)
        return found

    def _with_module(self, machine: t.Machine, path: Path, name: str, span: Span) -> t.Machine:
        file = (path.parent / name).with_suffix(".asm")
        if file.stem in LIBRARIES or file.resolve() in self._read:
            return machine
        if file.stem in timers.MODULES:
            self._read.add(file.resolve())
            self.notes.append(timers.NOTE)
            return _with(machine, self._parsed(file, timers.TEXT))
        if not file.is_file():
            self.problems.append(Diagnostic(f"there is no module {file}", span, "write the path from this file"))
            return machine
        return _with(machine, self.machine(file))


def _with(machine: t.Machine, module: t.Machine) -> t.Machine:
    """The machine with what the module declares; the module has no main rule and no initial state."""
    return replace(
        machine,
        domains=(*module.domains, *machine.domains),
        functions=(*module.functions, *machine.functions),
        definitions=(*module.definitions, *machine.definitions),
        constraints=(*module.constraints, *machine.constraints),
        rules=(*module.rules, *machine.rules),
        specifications=(*module.specifications, *machine.specifications),
    )


def _read(path: Path) -> str:
    """Older files have comments in Latin-1; what is outside comments and strings is ASCII in any case."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError.of(f"{path} cannot be read: {error.strerror}") from None
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content:
        raise UsageError.of(f"{path} is no text in UTF-8", remedy="convert it") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Parameters:
    """The machine with what the command line changes: constants, domains, finiteness constraints, the initial state."""

    def __init__(self, machine: t.Machine, notation: Notation, given: Mapping[str, str]) -> None:
        self.machine = machine
        self.sizes: dict[str, int] = {}
        self.initial: str | None = None
        self.limits = Limits()
        self._notation = notation
        for name, text in given.items():
            self._give(name, text)

    def _give(self, name: str, text: str) -> None:
        if name == "init" and any(each.name == text for each in self.machine.initials):
            self.initial = text
            return
        bound, of = _bound_and_function(name)
        if bound is not None and any(each.name == of for each in self.machine.functions):
            self._bound(bound, of, self._term(name, f"0:{text}" if text.isdecimal() else text))
            return
        declared: dict[str, t.Domain | t.Function] = {each.name: each for each in self.machine.domains}
        declared |= {each.name: each for each in self.machine.functions}
        found = declared.get(name)
        if found is None and name in LIMITS and text.isdecimal():
            self.limits = replace(self.limits, **{name: int(text)})
            return
        if found is None:
            known = ", ".join(each.name for each in _parameters(self.machine))
            raise UsageError.of(
                f"-p {name}={text}: the machine has no constant, domain or function of that name",
                remedy=f"it has {known}" if known else "it has no parameters",
            )
        if isinstance(found, t.Domain) and found.kind in ("abstract", "subset") and text.isdecimal():
            self.sizes[name] = int(text)
            return
        bound = _bound_of(found)
        if bound is not None and text.isdecimal():
            self._bound(bound, name, self._term(name, f"0:{text}"))
            return
        term = self._term(name, text)
        if isinstance(found, t.Function) and found.category not in ("static", "derived"):
            self._constrain(name, term)
        else:
            self._define(name, term)

    def _term(self, name: str, text: str) -> t.Term:
        bounds = text.replace("..", ":").split(":")
        if len(bounds) == 2 and not text.startswith("{"):
            text = f"{{{bounds[0]} : {bounds[1]}}}"
        return read_term(text, f"-p {name}", self._notation)

    def _define(self, name: str, term: t.Term) -> None:
        definitions = tuple(
            replace(each, body=term) if each.name == name else each for each in self.machine.definitions
        )
        if not any(each.name == name for each in definitions):
            definitions = (*definitions, t.Definition(term.span, name, (), term))
        self.machine = replace(self.machine, definitions=definitions)

    def _bound(self, bound: str, name: str, values: t.Term) -> None:
        """`length(f)` or `count(f)` is in the set, whatever the text says."""
        kept = [
            each
            for each in self.machine.constraints
            if each.name != bound
            or not any(isinstance(p.pattern, t.Name) and p.pattern.name == name for p in each.params)
        ]
        of = t.Binder(values.span, t.Name(values.span, name), t.Wildcard(values.span))
        self.machine = replace(self.machine, constraints=(*kept, t.Constraint(values.span, bound, (of,), values)))

    def _constrain(self, name: str, values: t.Term) -> None:
        constraints = tuple(
            replace(each, values=values) if each.name == name else each for each in self.machine.constraints
        )
        if not any(each.name == name for each in constraints):
            constraints = (*constraints, t.Constraint(values.span, name, (), values))
        self.machine = replace(self.machine, constraints=constraints)


def _bound_and_function(name: str) -> tuple[str | None, str]:
    """`length(f)` or `count(f)`, taken apart; None and the name if it is neither."""
    bound, bracket, rest = name.partition("(")
    if bracket and bound in ("length", "count") and rest.endswith(")"):
        return bound, rest.removesuffix(")").strip()
    return None, name


def _bound_of(declared: t.Domain | t.Function) -> str | None:
    """What bounds the sequences or the bags that a function gives."""
    if isinstance(declared, t.Function) and isinstance(declared.result, t.TypeOf):
        return {"Seq": "length", "Bag": "count"}.get(declared.result.maker)
    return None


def read_term(text: str, source: str, notation: Notation) -> t.Term:
    """A term on the command line."""
    tokens, wrong = tokens_of(text, source, notation)
    reader = AsmetaL(tokens) if notation is Notation.ASMETAL else AsmSl(tokens)
    try:
        term = reader.term()
        if reader.here.kind != "end":
            reader.fail("the term ends before this")
    except Misread as misread:
        wrong.append(misread.diagnostic)
    if wrong:
        raise UsageError(*(Diagnostic(f"{source} {text!r}: {each.message}", None, each.remedy) for each in wrong))
    return term


def _formula(option: str, text: str, notation: Notation) -> t.Specification:
    term = read_term(text, option, notation)
    kind = "ctl" if "ctl" in option else "ltl"
    return t.Specification(term.span, kind, text, term)


def _parameters(machine: t.Machine) -> tuple[Parameter, ...]:
    """What can be given: constants, domains with a definition, abstract domains, finiteness constraints."""
    definitions = {each.name: each for each in machine.definitions}
    found = []
    for function in machine.functions:
        definition = definitions.get(function.name)
        if function.category == "static" and definition is not None and isinstance(definition.body, t.Number):
            found.append(Parameter(function.name, str(definition.body.value), "a number"))
    return tuple(found)


def _text(texts: Mapping[str, list[str]], span: Span) -> str:
    """What is written there, on one line."""
    lines = texts.get(span.file, [])[span.line - 1 : span.end_line]
    if not lines:
        return "formula"
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(line.split()) for line in lines)
