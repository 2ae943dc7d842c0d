"""`asset explain --stubborn`: why derived stubborn sets are what they are, and how much they leave out.

Which families of transitions are dependent, with the lines that make them so, and what would help; the rules, as
sentences; what was too complicated to see through; and how many of the enabled transitions were fired. All pairs, and
the rules of all transitions, are shown on request.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from asset import interruption
from asset.analysis.stubborn.explanation import Dependence, Explanation, OpaqueTransition, Pair, Rule, explain, why
from asset.analysis.stubborn.hindrances import FamilyDependence
from asset.checks.plan import plan
from asset.checks.reductions import Analysing, preserved, reduce
from asset.cli.walk import named
from asset.errors import UsageError
from asset.report import figures
from asset.report.document import EMPTY, Line, Piece, Role, folded, line, one_line, packed
from asset.report.table import place, source

if TYPE_CHECKING:
    from asset.checks import CheckOptions
    from asset.checks.subject import Subject
    from asset.ir.program import Program
    from asset.span import Span
    from asset.verdict import Verdict


FEW = 4
"""Sentences of a rule, unless all are asked for."""


def explanation(subject: Subject, options: CheckOptions, analysing: Analysing | None = None) -> Explanation:
    """The rules that a check derives for what the options ask of the model, explained.

    A check does without stubborn sets if it is asked for what they do not preserve. Then these are the rules for the
    rest.
    """
    program = subject.executable().program
    asked = preserved(plan(program, options).requirements, options.symmetry == "hand")
    reduced = reduce(program, asked, options, analysing)
    found = reduced.derivation
    if found is None:
        interruption.give_way()
        why = "; ".join(each.message for each in reduced.caveats) or "deriving rules was ended before it was complete"
        raise UsageError.of(
            f"{why}: there is nothing to explain",
            remedy="give it more time (--analysis-time SECONDS), or a smaller model",
        )
    return explain(found)


def report(explained: Explanation, verdict: Verdict, width: int, everything: bool = False) -> list[Line]:
    """The explanation; the verdict is that of exploring with the rules. `everything` shows each pair and rule."""
    program = explained.derivation.program
    lines: list[Line] = [_headline(program, explained)]
    pairs = _pairs(program, explained.pairs, width) if everything else ()
    rules = _all_rules(explained) if everything else _some_rules(program, explained)
    sections = (
        ("Dependent families", chain.from_iterable(_families(each, width) for each in explained.families)),
        ("What would help", chain.from_iterable(_hanging("- ", folded(each, width - 6)) for each in explained.advice)),
        ("Pairs of transitions", pairs),
        ("Taken into account", _watched(explained, width)),
        ("Rules", chain.from_iterable(_rule(rule, more, width, everything) for rule, more in rules)),
        ("Opaque transitions", chain.from_iterable(_opaque(each, width) for each in explained.opaque)),
        ("Effect", _effect(verdict, width)),
    )
    for title, section in sections:
        body = list(section)
        if body:
            lines += [EMPTY, line(Piece(title, Role.STRONG)), *body]
    return lines


def _headline(program: Program, explained: Explanation) -> Line:
    independent = explained.nr_pairs - explained.nr_dependent
    pairs = figures.count(explained.nr_pairs, "pair")
    opaque = figures.count(len(explained.opaque), "transition")
    said = f"{independent:,} of {pairs} of transitions are independent, {opaque} opaque"
    apart = len({*explained.derivation.crowded, *explained.derivation.hurried})
    if apart:
        said = f"{explained.nr_dependent:,} of {pairs} of transitions were found dependent, {opaque} opaque; "
        said += f"{figures.count(apart, 'transition')} not compared with all others"
    return line(Piece(f"{named(program)}:", Role.STRONG), f" {said}")


def _pairs(program: Program, pairs: tuple[Pair, ...], width: int) -> Iterator[Line]:
    """Each pair once, below its transition of the smaller number."""
    by_first: dict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_first[pair.first].append(pair)
    for first, others in sorted(by_first.items()):
        yield line("  ", Piece(program.command_name(first), Role.NAME))
        for pair in others:
            if pair.dependence is not None:
                yield from _dependence(program.command_name(pair.second), pair.dependence, width)
        free = [program.command_name(pair.second) for pair in others if pair.dependence is None]
        if free:
            yield from _hanging("independent of ", packed(free, width - 19))


def _dependence(other: str, dependence: Dependence, width: int) -> Iterator[Line]:
    places = " and ".join(source(span) for span in (dependence.first_span, dependence.second_span) if span)
    said = f"{dependence.cell}: {dependence.why}{f' ({places})' if places else ''}"
    yield from _hanging(f"{other}  ", folded(said, width - 4 - len(other) - 2))


def _watched(explained: Explanation, width: int) -> Iterator[Line]:
    if explained.watched:
        yield from _hanging("must not be missed: ", packed(explained.watched, width - 24))
    if explained.visible:
        yield from _hanging("visible, so all or none: ", packed(explained.visible, width - 29))
    if explained.proved:
        yield from _hanging("cannot happen: ", packed(explained.proved, width - 19))


def _families(each: FamilyDependence, width: int) -> Iterator[Line]:
    """How many pairs, and why one of them is."""
    first, second = each.families
    head = f"{first}, {first}" if first == second else f"{first}, {second}"
    yield line("  ", Piece(head, Role.NAME), f"  {each.dependent:,} of {figures.count(each.pairs, 'pair')}")
    places = " and ".join(dict.fromkeys(source(span) for span in each.spans if span))
    said = f"{each.variable}: {why(each.kind, *each.examples)}{f' ({places})' if places else ''}"
    yield from _hanging("", folded(said, width - 4))


def _all_rules(explained: Explanation) -> Iterator[tuple[Rule, int]]:
    return ((rule, 0) for rule in explained.rules)


def _some_rules(program: Program, explained: Explanation) -> Iterator[tuple[Rule, int]]:
    """Those of the first transition of each family, with how many more there are; and those of what is checked."""
    at = 0
    for family in program.families:
        if family.size:
            yield explained.rules[at], family.size - 1
        at += family.size
    yield from ((rule, 0) for rule in explained.rules[at:])


def _rule(rule: Rule, more: int, width: int, everything: bool) -> Iterator[Line]:
    others = f" (one of {more + 1}; --all shows them)" if more else ""
    yield line("  ", Piece(rule.name, Role.NAME), others)
    for sentence in rule.sentences if everything else rule.sentences[:FEW]:
        yield from _hanging("- ", folded(sentence, width - 6))
    if not everything and len(rule.sentences) > FEW:
        yield line("    ", f"  and {len(rule.sentences) - FEW} more (--all shows them)")


def _opaque(each: OpaqueTransition, width: int) -> Iterator[Line]:
    yield from _hanging(f"{each.name}  ", folded(each.why, width - 4 - len(each.name) - 2))
    yield from _quoted(each.span)


def _quoted(span: Span) -> Iterator[Line]:
    yield line("      ", place(span, Role.FAINT))
    if span.source_line.strip():
        yield line("          ", span.source_line.strip())


_REASONS = ("stubborn-off", "asked-without-stubborn-sets", "max-states")


def _effect(verdict: Verdict, width: int) -> Iterator[Line]:
    """How many of the enabled transitions were fired on average."""
    reasons = [caveat.message for caveat in verdict.caveats if caveat.code in _REASONS]
    enabled = verdict.reduction.enabled
    if verdict.reduction.stubborn == "auto" and enabled:
        states = max(1, verdict.states)
        fired = f"{verdict.edges / states:.2f} of {enabled / states:.2f} enabled transitions fired in a state"
        reasons.insert(0, f"{fired}, on average of {figures.count(states, 'state')}")
    for reason in reasons:
        yield from _hanging("", folded(one_line(reason), width - 4))


def _hanging(head: str, texts: list[str]) -> Iterator[Line]:
    """The first line after the head, the others below it."""
    for number, text in enumerate(texts):
        yield line("    ", " " * len(head) if number else head, text)
