"""Why derived rules are what they are, as data: pairs of commands, rules as sentences, what could not be followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from asset.analysis.stubborn.commuting import ConflictKind
from asset.analysis.stubborn.derivation import Derivation, Imaginary
from asset.analysis.stubborn.hindrances import FamilyDependence, advice, family_dependences, touching
from asset.analysis.stubborn.paths import Path
from asset.ir.derived import ALWAYS, Alternative, ObligationCase
from asset.ir.requirements import Invariant
from asset.span import Span


@dataclass(frozen=True, slots=True)
class Dependence:
    """What makes two commands dependent: a cell, why, and the lines of both where they look at it or assign to it."""

    cell: str
    why: str
    first_span: Span | None
    second_span: Span | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two commands, by their numbers; without a dependence they are independent."""

    first: int
    second: int
    dependence: Dependence | None


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpaqueTransition:
    """A command that could not be followed on all ways, and the line that is the cause."""

    name: str
    why: str
    span: Span


@dataclass(frozen=True)
class Explanation:
    """`watched` must not be missed and is in the rules as imaginary transitions; `proved` cannot happen. `visible` are
    the commands that may change what is asked of runs.

    `families` sums up the pairs that are dependent, and `advice` says what would help. Of large models pairs and rules
    are many: they are put into words only if they are asked for.
    """

    derivation: Derivation
    families: tuple[FamilyDependence, ...]
    advice: tuple[str, ...]
    opaque: tuple[OpaqueTransition, ...]
    watched: tuple[str, ...]
    proved: tuple[str, ...]
    visible: tuple[str, ...]

    @property
    def nr_pairs(self) -> int:
        commands = self.derivation.program.nr_commands
        return commands * (commands - 1) // 2

    @property
    def nr_dependent(self) -> int:
        """Of pairs that were found dependent."""
        return sum(each.dependent for each in self.families)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple(_Explainer(self.derivation).pairs())

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Of commands, and of imaginary transitions after them."""
        return tuple(_Explainer(self.derivation).rules())


def explain(derivation: Derivation) -> Explanation:
    """The derivation in the words of the model."""
    explaining = _Explainer(derivation)
    return Explanation(
        derivation=derivation,
        families=tuple(family_dependences(derivation)),
        advice=tuple(advice(derivation)),
        opaque=tuple(explaining.opaque()),
        watched=tuple(map(explaining.meaning, derivation.imaginary)),
        proved=tuple(map(explaining.meaning, derivation.impossible)),
        visible=tuple(map(derivation.program.command_name, sorted(derivation.rules.visible or ()))),
    )


class _Explainer:
    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self.program = derivation.program
        self.names = [self.program.command_name(c) for c in range(self.program.nr_commands)]
        self.names += map(self.meaning, derivation.imaginary)

    def meaning(self, imaginary: Imaginary) -> str:
        if imaginary.command is not None:
            return f"a model error in {self.program.command_name(imaginary.command)}"
        required = imaginary.requirement
        assert required is not None
        if imaginary.holds:
            return f"{required.name} holds"
        violated = isinstance(required, Invariant)
        return f"{required.name} is violated" if violated else f"a model error in {required.name}"

    # --- pairs --------------------------------------------------------------------------------------------------

    def pairs(self) -> Iterator[Pair]:
        for first, second in combinations(range(self.program.nr_commands), 2):
            yield Pair(first, second, self._dependence(first, second))

    def _dependence(self, first: int, second: int) -> Dependence | None:
        for one, two in ((first, second), (second, first)):
            found = self.derivation.conflicts.get((one, two))
            if found is not None:
                p, q, conflict = found
                ours, theirs = (p, q) if one == first else (q, p)
                return Dependence(
                    cell=self.program.cell_names[conflict.cell],
                    why=why(conflict.kind, self.names[one], self.names[two]),
                    first_span=touching(ours, conflict.cell),
                    second_span=touching(theirs, conflict.cell),
                )
        return None

    # --- rules --------------------------------------------------------------------------------------------------

    def rules(self) -> Iterator[Rule]:
        for node, name in enumerate(self.names):
            sentences = [sentence for case in self.derivation.rules.cases[node] for sentence in self._sentences(case)]
            sentences += (f"to stay enabled whatever else is fired, {each}" for each in self._of_key(node))
            yield Rule(name, tuple(sentences) or ("needs nothing else in the set",))

    def _of_key(self, node: int) -> Iterator[str]:
        """What a set needs besides so that the command is a key of it. The first case is the command itself."""
        rules = self.derivation.rules
        if node < self.program.nr_commands and rules.key(node) != node:
            for case in rules.cases[rules.key(node)][1:]:
                yield from self._sentences(case)

    def _sentences(self, case: ObligationCase) -> Iterator[str]:
        where = " and ".join(self.derivation.texts[fact] for fact in case.facts)
        begin = f"where {where}, " if where else ""
        for obligation in case.obligations:
            forced = obligation[0] if obligation and obligation[0].fact == ALWAYS else None
            if forced is not None and len(obligation) == 1:
                yield f"{begin}it needs {self._nodes(forced)}"
            elif obligation:
                options = "; or ".join(self._option(option) for option in obligation)
                yield f"{begin}it needs one of: {options}"
            else:
                yield f"{begin}it needs all transitions"

    def _option(self, option: Alternative) -> str:
        if option.fact == ALWAYS:
            return self._nodes(option)
        return f"{self._nodes(option)} where {self.derivation.texts[option.fact]}"

    def _nodes(self, option: Alternative) -> str:
        return " and ".join(self.names[node] for node in sorted(option.nodes)) or "nothing"

    # --- what could not be followed -----------------------------------------------------------------------------

    def opaque(self) -> Iterator[OpaqueTransition]:
        """Each command and cause once."""
        seen = set[tuple[int, Span]]()
        for live in self.derivation.flow.live:
            path: Path = live.path
            if path.opaque is None or path.node >= self.program.nr_commands:
                continue
            if (path.node, path.opaque.span) not in seen:
                seen.add((path.node, path.opaque.span))
                yield OpaqueTransition(self.names[path.node], path.opaque.why, path.opaque.span)


def why(kind: ConflictKind, one: str, two: str) -> str:
    """The conflict of two transitions in words."""
    match kind:
        case ConflictKind.DISABLES:
            return f"{one} may keep {two} from firing as it would"
        case ConflictKind.DISABLED:
            return f"{two} may keep {one} from firing as it would"
        case ConflictKind.RESULT:
            return "their order makes a difference to it"
        case ConflictKind.READS:
            return "one reads what the other writes"
