"""From what the options ask for to the reductions that are used: found in the model, or written by hand.

Every command gets its reductions here, so what one shows is what another uses. Whether a reduction preserves a
requirement is decided in `asset.checks.soundness`; here that is acted on. If a reduction cannot be used, the search
does without, and a caveat says why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from asset.analysis.watch import processor_time
from asset.checks import soundness
from asset.checks.options import CheckOptions
from asset.checks.requirements import kind_of
from asset.errors import UsageError
from asset.ir.program import Program
from asset.ir.reductions import Reductions
from asset.ir.requirements import Requirement, step_predicates
from asset.verdict import Caveat

if TYPE_CHECKING:  # few checks need these, and they take a while to load
    from asset.analysis.stubborn.derivation import Derivation
    from asset.analysis.symmetry.symmetries import Symmetries
    from asset.ir.groups import Group

ANALYSIS_TIME = 5
"""Seconds that an analysis may take, unless the options say otherwise: what it saves must be worth them."""

COSTS_TIME = 1
"""Seconds for telling what keeping properties costs the symmetries: a sentence, whatever the verdict is."""

NO_SYMMETRY_OF_NUMBERS = Caveat(
    "symmetry-off",
    "no symmetry was used: steps have so many inputs, or ways to go, that transitions have numbers, and no elements of "
    "an abstract domain are alike in all that is asked",
)

NO_RULES_OF_NUMBERS = Caveat(
    "stubborn-off",
    "stubborn sets were not used: steps have so many inputs, or ways to go, that transitions have numbers",
)

Analysing = Callable[[str, int, int], bool]
"""Told now and then what an analysis is at, how much of it is done and of how much; returning False ends it."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """`reductions` is what a search is given, `requirements` what it decides with them. `repair` says that its stubborn
    sets must ignore nothing. `symmetries` and `derivation` are what the analyses found. `apart` is what a search of its
    own decides, with other rules: idle steps are none for it, and steps for others."""

    reductions: Reductions
    requirements: tuple[Requirement, ...]
    repair: bool = False
    caveats: tuple[Caveat, ...] = ()
    symmetries: Symmetries | None = None
    derivation: Derivation | None = None
    apart: Reduced | None = None

    @property
    def stubborn(self) -> str:
        """How stubborn sets are found, as the option says it."""
        return "hand" if self.reductions.hand_rules else "auto" if self.reductions.stubborn else "off"

    @property
    def symmetry(self) -> str:
        return "hand" if self.reductions.hand_symmetry else "auto" if self.reductions.symmetry else "off"

    @property
    def preserved(self) -> tuple[Requirement, ...]:
        """The requirements that can be decided with derived stubborn sets."""
        return preserved(self.requirements, self.reductions.hand_symmetry)

    @property
    def again(self) -> tuple[Requirement, ...]:
        """The requirements that must be asked again without stubborn sets, if nothing is found with them."""
        if self.reductions.derived is None:
            return ()
        unreliable = soundness.pass_is_unreliable
        return tuple(r for r in self.requirements if unreliable(kind_of(r).soundness, r, self.reductions))

    @property
    def asked(self) -> tuple[Requirement, ...]:
        """All requirements, those that are asked apart last."""
        return (*self.requirements, *(() if self.apart is None else self.apart.requirements))

    def about(self, some: Collection[Requirement]) -> Reduced:
        """The same for some of the requirements."""
        left = tuple(requirement for requirement in self.requirements if requirement in some)
        apart = None if self.apart is None else self.apart.about(some)
        return replace(self, requirements=left, apart=apart if apart and apart.requirements else None)

    def without_stubborn_sets(self) -> Reduced:
        unreduced = self.reductions.without_stubborn_sets()
        return replace(self, reductions=unreduced, requirements=self.asked, repair=False, derivation=None, apart=None)

    def without_symmetry(self) -> Reduced:
        apart = self.apart and self.apart.without_symmetry()
        return replace(self, reductions=self.reductions.without_symmetry(), symmetries=None, apart=apart)


def reduce(
    program: Program,
    requirements: Sequence[Requirement],
    options: CheckOptions,
    analysing: Analysing | None = None,
) -> Reduced:
    """The reductions for the requirements. Raises UsageError if the model has not what the options ask for.

    Symmetries come first: stubborn set rules are derived for all states that representatives are reachable from.
    """
    require_hand_written(program, options)
    reduced = Reduced(Reductions(hand_symmetry=options.symmetry == "hand"), tuple(requirements))
    stubborn = options.stubborn == "hand" or (options.stubborn == "auto" and _is_of_use(reduced))
    of_steps = [r.name for r in requirements if step_predicates(r)]
    if options.symmetry == "auto" and of_steps:
        reduced = _told(reduced, soundness.speaks_of_steps(of_steps))
    elif options.symmetry == "auto" and program.draws:
        reduced = _with_exchanges(program, reduced)
    elif options.symmetry == "auto":
        reduced = _with_symmetries(program, reduced, stubborn, observed(options, analysing))
    if options.stubborn == "hand":
        rules = replace(reduced.reductions, hand_rules=True)
        reduced = _ignoring_nothing(replace(reduced, reductions=rules), idle=not program.idle_steps)
    elif stubborn and program.draws:
        reduced = _told(reduced, NO_RULES_OF_NUMBERS)
    elif stubborn:
        reduced = _with_rules(program, reduced, observed(options, analysing))
    elif options.stubborn == "auto":
        reduced = _told(reduced, soundness.not_reduced(requirement.name for requirement in requirements))
    return reduced


def require_hand_written(program: Program, options: CheckOptions) -> None:
    if options.stubborn == "hand" and all(family.rule is None for family in program.families):
        raise UsageError.of(
            f"stubborn=hand needs stubborn set rules, and {program.name} has none",
            remedy="write rules (@obligations, or next_stubborn in the ASSET style), or leave stubborn out",
        )
    if options.symmetry == "hand" and program.representative is None:
        raise UsageError.of(
            f"symmetry=hand needs a representative function, and {program.name} has none",
            remedy="define symmetry_representative(self), or leave symmetry out",
        )


def preserved(requirements: Sequence[Requirement], hand_symmetry: bool = False) -> tuple[Requirement, ...]:
    """Those that can be decided with derived stubborn sets."""
    return tuple(r for r in requirements if soundness.is_preserved(kind_of(r).soundness, r, hand_symmetry))


def _is_of_use(reduced: Reduced) -> bool:
    """Whether stubborn sets decide anything; model errors, if nothing is asked."""
    return not reduced.requirements or bool(reduced.preserved)


def _with_symmetries(program: Program, reduced: Reduced, stubborn: bool, observe: Analysing) -> Reduced:
    from asset.checks.symmetries_asked import symmetries  # here, as few checks need it

    found = symmetries(program, reduced.requirements, stubborn, observe)
    reduced = replace(reduced, symmetries=found, reductions=replace(reduced.reductions, group=found.group))
    if found.group is not None:
        return reduced
    return _told(reduced, soundness.NO_SYMMETRY if found.complete else soundness.SYMMETRY_ENDED)


def _with_exchanges(program: Program, reduced: Reduced) -> Reduced:
    """With what the front end knows to be alike, if commands are numbered and have no fixed images."""
    from asset.analysis.symmetry.exchanging import group_of_exchanges  # here, as few checks need it

    kept = all(map(soundness.speaks_of_states_only, reduced.requirements))
    group = group_of_exchanges(program) if kept else None
    if group is None:
        return _told(reduced, NO_SYMMETRY_OF_NUMBERS)
    return replace(reduced, reductions=replace(reduced.reductions, group=group))


def _with_rules(program: Program, reduced: Reduced, observe: Analysing) -> Reduced:
    from asset.analysis.stubborn.derivation import derive  # here, as few checks need it
    from asset.checks.symmetries_asked import starts

    begun = starts(program, reduced.reductions.group)
    if begun is None:
        return _told(reduced, soundness.TOO_MANY_STARTS)
    found = derive(program, reduced.preserved, observer=observe, starts=begun)
    if len(found.hurried) >= program.nr_commands:
        return _told(reduced, soundness.ANALYSIS_ENDED)
    idle = found.idle and not program.idle_steps
    if idle and (apart := [each for each in reduced.preserved if soundness.is_asked_apart(each)]):
        return _with_rules_apart(program, reduced, apart, observe)
    if not found.complete:
        reduced = _told(reduced, soundness.COARSER_RULES)
    rules = replace(found.rules, cone=_cone(found, reduced), visible=_visible(found, reduced.reductions.group))
    reduced = replace(reduced, derivation=found, reductions=replace(reduced.reductions, derived=rules))
    decided = (requirement for requirement in reduced.preserved if requirement not in reduced.again)
    if not soundness.keys_suffice(kind_of(requirement).soundness for requirement in decided):
        reduced = replace(reduced, reductions=replace(reduced.reductions, derived=rules.with_keys_only()))
    if reduced.again and len(reduced.again) == len(reduced.requirements):
        return _told(reduced.without_stubborn_sets(), soundness.not_reduced(each.name for each in reduced.again))
    return _ignoring_nothing(reduced, errors=not all(meaning.holds for meaning in found.imaginary), idle=idle)


def _with_rules_apart(program: Program, reduced: Reduced, some: Sequence[Requirement], observe: Analysing) -> Reduced:
    """With rules for these requirements and others for the rest."""
    rest = tuple(requirement for requirement in reduced.requirements if requirement not in some)
    apart = _with_rules(program, replace(reduced, requirements=tuple(some), caveats=()), observe)
    reduced = replace(_with_rules(program, replace(reduced, requirements=rest), observe), apart=apart)
    return replace(reduced, caveats=tuple(dict.fromkeys((*reduced.caveats, *apart.caveats))))


def _cone(found: Derivation, reduced: Reduced) -> frozenset[int] | None:
    """The commands that matter, and those that symmetries make of them; None if all do, or may."""
    suffices = all(soundness.cone_suffices(kind_of(each).soundness, each) for each in reduced.preserved)
    if reduced.reductions.hand_symmetry or not suffices:
        return None
    return _images(found.cone, reduced.reductions.group)


def _visible(found: Derivation, group: Group | None) -> frozenset[int] | None:
    """The visible commands, and those that symmetries make of them."""
    return None if found.rules.visible is None else _images(found.rules.visible, group)


def _images(commands: frozenset[int], group: Group | None) -> frozenset[int]:
    """The commands with all that the group makes of them."""
    everyone = set(commands)
    pending = list(everyone) if group is not None else []
    while pending:
        command = pending.pop()
        images = {generator.commands[command] for generator in (group.generators if group else ())} - everyone
        everyone |= images
        pending += images
    return frozenset(everyone)


def _ignoring_nothing(reduced: Reduced, errors: bool = False, idle: bool = False) -> Reduced:
    """With repair, if answers with stubborn sets are worth nothing without it."""
    rows = [kind_of(requirement).soundness for requirement in reduced.preserved]
    derived = reduced.reductions.derived
    weak = derived is not None and bool(derived.keys)
    return replace(reduced, repair=soundness.must_ignore_nothing(rows, errors, idle, weak))


def observed(options: CheckOptions, analysing: Analysing | None = None, limit: float = inf) -> Analysing:
    """Ends an analysis when its time is over, `limit` seconds at most, or when `analysing` says so.

    What counts is processor time, so that a busy machine makes no difference to what is found.
    """
    deadline = processor_time() + min(limit, options.analysis_time or ANALYSIS_TIME)

    def observe(what: str, done: int, of: int) -> bool:
        if processor_time() > deadline:
            return False
        return analysing is None or analysing(what, done, of)

    return observe


def _told(reduced: Reduced, caveat: Caveat) -> Reduced:
    return replace(reduced, caveats=(*reduced.caveats, caveat))
