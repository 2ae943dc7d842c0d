"""`asset explain --stubborn`: why derived stubborn sets are what they are, and how much they leave out.

The pairs of transitions that are dependent, with the lines that make them so; the rules, as sentences; what was too
complicated to see through; and how many of the enabled transitions were fired.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from asset.analysis.stubborn.explanation import Dependence, Explanation, OpaqueTransition, Pair, Rule, explain
from asset.checks.plan import plan
from asset.checks.reductions import Analysing, preserved, reduce
from asset.cli.walk import named
from asset.errors import UsageError
from asset.report import figures
from asset.report.document import EMPTY, Line, Piece, Role, folded, line, one_line, packed
from asset.report.table import located, source

if TYPE_CHECKING:
    from asset.checks import CheckOptions
    from asset.checks.subject import Subject
    from asset.ir.program import Program
    from asset.span import Span
    from asset.verdict import Verdict


def explanation(
    subject: Subject, options: CheckOptions, analysing: Analysing | None = None
) -> tuple[Program, Explanation]:
    """The rules that a check derives for what the options ask of the model, explained.

    A check does without stubborn sets if it is asked for what they do not preserve. Then these are the rules for the
    rest.
    """
    program = subject.executable().program
    found = reduce(program, preserved(plan(program, options).requirements), options, analysing).derivation
    if found is None:
        raise UsageError.of(
            "deriving rules was ended before it was complete: there is nothing to explain",
            remedy="give it more time (--analysis-time SECONDS), or a smaller model",
        )
    return program, explain(found)


def report(program: Program, explained: Explanation, verdict: Verdict, width: int) -> list[Line]:
    """All of the explanation; the verdict is that of exploring with the rules."""
    lines: list[Line] = [_headline(program, explained)]
    sections = (
        ("Pairs of transitions", _pairs(program, explained.pairs, width)),
        ("Taken into account", _watched(explained, width)),
        ("Rules", chain.from_iterable(_rule(rule, width) for rule in explained.rules)),
        ("Opaque transitions", chain.from_iterable(_opaque(each, width) for each in explained.opaque)),
        ("Effect", _effect(verdict, width)),
    )
    for title, section in sections:
        body = list(section)
        if body:
            lines += [EMPTY, line(Piece(title, Role.STRONG)), *body]
    return lines


def _headline(program: Program, explained: Explanation) -> Line:
    independent = sum(pair.dependence is None for pair in explained.pairs)
    pairs = figures.count(len(explained.pairs), "pair")
    opaque = figures.count(len(explained.opaque), "transition")
    said = f"{independent:,} of {pairs} of transitions are independent, {opaque} opaque"
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
    if explained.proved:
        yield from _hanging("cannot happen: ", packed(explained.proved, width - 19))


def _rule(rule: Rule, width: int) -> Iterator[Line]:
    yield line("  ", Piece(rule.name, Role.NAME))
    for sentence in rule.sentences:
        yield from _hanging("- ", folded(sentence, width - 6))


def _opaque(each: OpaqueTransition, width: int) -> Iterator[Line]:
    yield from _hanging(f"{each.name}  ", folded(each.why, width - 4 - len(each.name) - 2))
    yield from _quoted(each.span)


def _quoted(span: Span) -> Iterator[Line]:
    yield line("      ", Piece(located(span), Role.FAINT))
    if span.source_line.strip():
        yield line("          ", span.source_line.strip())


def _effect(verdict: Verdict, width: int) -> Iterator[Line]:
    """How many of the enabled transitions were fired on average."""
    reasons = [caveat.message for caveat in verdict.caveats if caveat.code in ("stubborn-off", "max-states")]
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
