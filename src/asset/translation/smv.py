"""A program in SMV: a variable for each cell, the command as an input, what is next for each, and specifications.

What a command does is worked out as conditions and terms over cells (`analysis.symmetry.summaries`), so loops and table
look-ups are unfolded and simplified. A state without enabled commands stays as it is, as in ASSET. That no model error
can occur is an INVARSPEC: if it is false, SMV and ASSET need not agree on what comes after the error.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from asset.analysis.symmetry.summaries import Summarizer, TermSummary
from asset.analysis.symmetry.terms import Beyond, Term, Terms
from asset.analysis.symmetry.used_cells import UsedCells
from asset.analysis.values.reached_ranges import reached_ranges
from asset.errors import UsageError
from asset.ir import requirements as r
from asset.ir.program import Program, State, Variable
from asset.ir.types import EnumType, IntType, bit_width
from asset.logic.formulas import And, Implies
from asset.translation.smv_formulas import ctl, ltl
from asset.translation.smv_inputs import WithInputs, for_some, with_inputs, without_inputs
from asset.translation.smv_names import CellNames
from asset.translation.smv_terms import TermTexts

FEW_COMMANDS = 64
"""Of more, the indices are inputs of the model, and what happens is worked out for all of their values at once."""
MOST_COMMANDS = 5_000
"""That are worked out one by one, if that is beyond what can be done for all at once."""
MOST_LISTED = 256
"""Variables with more values get a range that has only those that they can become."""
PATIENCE = 20
"""A translation that is asked for may take longer than an analysis that only might help: half a minute."""

_STAY, _ERROR = "stay", "error"


class _NotCarriedOver(Exception):
    """The requirement cannot be said in SMV."""


def smv(program: Program, effort: int = 1) -> str:
    """The text. Raises UsageError if the program is too large for it, or has operators that SMV has not.

    So many times more than usual may be worked out, as `effort` says."""
    ways = [with_inputs] if program.nr_commands > MOST_COMMANDS else [with_inputs, without_inputs]
    for way in ways if program.nr_commands > FEW_COMMANDS else reversed(ways):
        with suppress(Beyond):
            given = way(program)
            narrowed = replace(given, program=_narrowed(given.program))
            return _Translation(narrowed, program.initial_states, effort * PATIENCE).text()
    raise UsageError.of(
        f"{program.name} is too large to be unfolded: SMV has no arrays, so each step is written for all that it reads",
        remedy=f"{_largest(program)}; make that smaller, by -p or in the text (there are {program.nr_commands:,} "
        f"transitions, or combinations of inputs), or let more be worked out: --effort {2 * effort}. asset check "
        "unfolds nothing, and needs none of this",
    )


def _largest(program: Program) -> str:
    """The variables that most of the state is made of."""
    sized = [(v.cells * bit_width(v.type), v) for v in program.variables]
    most = sorted(sized, key=lambda each: -each[0])[:3]
    texts = (f"{v.name} ({v.cells:,} x {v.type.hi - v.type.lo + 1:,} values)" for _, v in most)
    return f"most of its {sum(bits for bits, _ in sized):,} bits are {', '.join(texts)}"


def _narrowed(program: Program) -> Program:
    """The program with types that have only what its variables can become, so that numbers are as small as they can be:
    those of SMV have 32 bits."""
    ranges, variables = reached_ranges(program), list[Variable]()
    for variable, within in zip(program.variables, ranges, strict=True):
        fits = isinstance(variable.type, IntType) and variable.type.hi - variable.type.lo > MOST_LISTED
        narrow = IntType(max(within.lo, variable.type.lo), min(within.hi, variable.type.hi))
        variables.append(replace(variable, type=narrow) if fits else variable)
    return replace(program, variables=tuple(variables))


class _Translation:
    def __init__(self, given: WithInputs, starts: Sequence[State], patience: int) -> None:
        self._program = program = given.program
        self._given = given
        self._starts = starts
        self._terms = Terms(UsedCells(program, uses={}), patience)  # in SMV every cell has a value
        summarizer = Summarizer(program, self._terms)
        self._commands: list[TermSummary] = [summarizer.command(*each) for each in program.commands]
        self._predicates = {each: summarizer.predicate(each) for each in program.predicates}
        self._names = CellNames(program)
        self._guards = [self._guard(each) for each in self._commands]
        pairs = zip(self._guards, given.inputs, strict=True)
        self._enabled = self._terms.either(*(for_some(self._terms, guard, inputs) for guard, inputs in pairs))
        self._after = [
            [self._safe(each, cell, self._terms.value_of(cell)) for each in self._commands]
            for cell in range(given.first)
        ]
        self._texts = TermTexts(self._terms, self._names)
        self._texts.used(self._roots())

    def _guard(self, command: TermSummary) -> Term:
        """When it can be chosen: with inputs, also to go wrong."""
        return self._terms.either(command.guard, command.fault) if self._given.any else command.guard

    def _roots(self) -> Iterator[Term]:
        """All that is written, each as often as it is: once for all commands that agree on it."""
        yield self._enabled
        for summary in (*self._commands, *self._predicates.values()):
            yield from (summary.guard, summary.fault)
        yield from self._guards
        for values in self._after:
            yield from set(values)

    def text(self) -> str:
        """Definitions come last, as everything else makes them."""
        transitions = [*self._initial(), *self._choices(), *self._next()]
        specifications = [*self._errors(), *self._requirements()]
        written = [*transitions, *specifications]
        definitions = [f"  {name} := {text};" for name, text in self._texts.definitions_of(written)]
        head = [f"-- {self._program.name}, written by asset translate", "MODULE main", *self._declarations()]
        defined = ["DEFINE", *definitions] if definitions else []
        return "\n".join([*head, *defined, *transitions, *specifications, ""])

    # --- the state --------------------------------------------------------------------------------------------------

    def _declarations(self) -> Iterator[str]:
        yield "VAR"
        yield from self._declared(range(self._given.first))
        if self._given.any:
            yield f"  {_ERROR} : boolean;  -- whether a step was a model error"
        yield "IVAR"
        yield from self._declared(range(self._given.first, len(self._names.cells)))
        named = [f"c{number}" for number in range(self._program.nr_commands)]
        stays = [_STAY] if self._enabled != self._terms.true else []
        yield f"  command : {{{', '.join([*named, *stays])}}};"
        for number in range(self._program.nr_commands):
            yield f"  -- c{number} is {self._program.command_name(number)}"

    def _declared(self, cells: Iterable[int]) -> Iterator[str]:
        for cell in cells:
            name, written = self._names.cells[cell], self._names.written[cell]
            yield f"  {name} : {self._names.type(cell)};{'' if name == written else f'  -- {written}'}"

    def _initial(self) -> Iterator[str]:
        states = self._starts
        if len(states) == 1:
            yield "ASSIGN"
            if self._given.any:
                yield f"  init({_ERROR}) := FALSE;"
            for cell, value in enumerate(states[0]):
                yield f"  init({self._names.cells[cell]}) := {self._names.value(cell, value)};"
            return
        if self._given.any:
            yield f"INIT !{_ERROR}"
        yield "INIT"
        alternatives = [" & ".join(self._equals(cell, value) for cell, value in enumerate(state)) for state in states]
        yield "  " + "\n  | ".join(f"({each})" for each in alternatives)

    def _equals(self, cell: int, value: int) -> str:
        return f"{self._names.cells[cell]} = {self._names.value(cell, value)}"

    # --- steps --------------------------------------------------------------------------------------------------------

    def _choices(self) -> Iterator[str]:
        """Only an enabled command can be chosen."""
        if self._enabled != self._terms.true:
            yield f"TRANS command = {_STAY} -> !{self._texts.condition(self._enabled)}"
        for guard, commands in self._grouped(self._guards):
            if guard != self._terms.true:
                yield f"TRANS {_chosen(commands)} -> {self._texts.condition(guard)}"

    def _next(self) -> Iterator[str]:
        yield "ASSIGN"
        if self._given.any:
            yield from self._next_error()
        for cell, name in enumerate(self._names.cells[: self._given.first]):
            kept = self._terms.value_of(cell)
            values = self._after[cell]
            arms = [
                f"    {_chosen(commands)} : {self._texts.assigned(cell, value)};"
                for value, commands in self._grouped(values)
                if value != kept
            ]
            if arms:
                yield "\n".join([f"  next({name}) := case", *arms, f"    TRUE : {name};", "  esac;"])
            else:
                yield f"  next({name}) := {name};"

    def _next_error(self) -> Iterator[str]:
        """Specifications cannot speak of inputs, so a variable remembers that a step went wrong."""
        wrong = [(number, each.fault) for number, each in enumerate(self._commands) if each.fault != self._terms.false]
        steps = (f"{_chosen([number])} & {self._texts.condition(fault)}" for number, fault in wrong)
        yield f"  next({_ERROR}) := {' | '.join([_ERROR, *(f'({step})' for step in steps)])};"

    def _safe(self, command: TermSummary, cell: int, kept: Term) -> Term:
        """What the cell becomes; in case of a model error it stays, so that SMV need not look at it.

        SMV wants a value of the type from commands that cannot be chosen, too."""
        value, unused = command.updates.get(cell, kept), command.fault
        if not self._fits(cell, value):
            unused = self._terms.either(unused, self._terms.negation(command.guard))
        return self._terms.choose(unused, kept, value)

    def _fits(self, cell: int, value: Term) -> bool:
        """Whether all that the term can be, whatever the state and the inputs are, is of the cell's type."""
        kind, interval = self._terms.cells.variables[cell].type, self._terms.interval(value)
        if not self._names.is_number(cell):
            return True
        solid = not isinstance(kind, EnumType) or kind.hi - kind.lo == len(kind.members) - 1
        known = self._terms.known(value)
        return (solid and kind.lo <= interval.lo and interval.hi <= kind.hi) or (known is not None and known in kind)

    @staticmethod
    def _grouped(values: Sequence[Term]) -> list[tuple[Term, list[int]]]:
        found: dict[Term, list[int]] = {}
        for number, value in enumerate(values):
            found.setdefault(value, []).append(number)
        return list(found.items())

    # --- specifications -----------------------------------------------------------------------------------------------

    def _errors(self) -> Iterator[str]:
        """No step and no property goes wrong: no value leaves its range, no updates conflict."""
        if self._given.any:
            yield "-- no model error in a step"
            yield f"INVARSPEC !{_ERROR}"
        commands = () if self._given.any else self._commands
        faults = [(f"c{number}", each.fault) for number, each in enumerate(commands)]
        faults += [(predicate.name, each.fault) for predicate, each in self._predicates.items()]
        for name, fault in faults:
            if fault != self._terms.false:
                yield f"-- no model error in {name}"
                yield f"INVARSPEC !{self._texts.condition(fault)}"

    def _requirements(self) -> Iterator[str]:
        for required in self._program.requirements:
            yield f"-- {required.name}"
            try:
                yield self._specification(required)
            except _NotCarriedOver:
                yield "-- (it speaks of steps, and is not carried over)"

    def _specification(self, required: r.Requirement) -> str:
        terminal = f"!{self._texts.condition(self._enabled)}"
        match required:
            case r.Invariant(predicate):
                return f"INVARSPEC {self._holds(predicate)}"
            case r.Terminal(predicate):
                return f"INVARSPEC {terminal} -> {self._holds(predicate)}"
            case r.MayProgress(predicate, counts):
                return f"CTLSPEC AG EF ({self._holds(predicate)}{f' | {terminal}' if counts else ''})"
            case r.MustProgress(predicate, counts):
                return f"LTLSPEC G F ({self._holds(predicate)}{f' | {terminal}' if counts else ''})"
            case r.Termination():
                return f"CTLSPEC AG EF {terminal}"
            case r.Branching(formula=formula):
                return f"CTLSPEC {ctl(formula, self._atom)}"
            case r.Temporal(formula=formula, assumptions=assumptions, fairness=()):
                whole = Implies(And(assumptions), formula) if assumptions else formula
                return f"LTLSPEC {ltl(whole, self._atom)}"
        raise _NotCarriedOver

    def _holds(self, predicate: r.Predicate) -> str:
        return self._texts.condition(self._predicates[predicate].guard)

    def _atom(self, key: Hashable) -> str:
        match key:
            case r.Predicate():
                return self._holds(key)
            case r.Enabled(commands=commands) if not self._given.any:
                guards = [self._commands[number].guard for number in sorted(commands)]
                return self._texts.condition(self._terms.either(*guards))
        raise _NotCarriedOver


def _chosen(commands: Sequence[int]) -> str:
    if len(commands) == 1:
        return f"command = c{commands[0]}"
    return f"command in {{{', '.join(f'c{number}' for number in commands)}}}"
