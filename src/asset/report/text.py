"""The verdict as text: the answer in one quotable line, what was checked, what it cost, and the counterexample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from asset.report import approximated, figures, simulated
from asset.report.counterexample import counterexample
from asset.report.document import EMPTY, Line, Piece, Role, cells, folded, line, one_line, padded, plain
from asset.report.profile import profile_lines, shares
from asset.report.reasons import why_lines
from asset.report.stillness import stillness_lines
from asset.report.table import place, source
from asset.verdict import MODEL_ERRORS, Answer, Caveat, Checked, Verdict, Violation

WIDTH = 100
"""Of a report that does not go to a terminal."""

_ROLES = {Answer.HOLDS: Role.GOOD, Answer.VIOLATED: Role.BAD, Answer.UNDECIDED: Role.UNSURE}
_MARKS = {Answer.HOLDS: "✓", Answer.VIOLATED: "✗", Answer.UNDECIDED: "?"}

# The caveats that say why a search ended early, by their stable codes: the reason to quote for "undecided".
_EARLY_ENDS = ("interrupted", "max-memory", "max-states")

# The kinds of violations that a line of the model is at fault for, with what to say there instead of a long message.
_AT_FAULT = {**dict.fromkeys(MODEL_ERRORS, ""), "audit": "what is at fault"}

ENOUGH_STATES = 10_000
"""Of fewer states, the bytes for each are mostly fixed overhead, and not worth telling."""

_REDUCTIONS = {"stubborn": "stubborn sets", "symmetry": "symmetry"}


Section = Callable[[Verdict, int], Iterator[Line]]
"""A part of the report, in lines of at most that width."""


def render(verdict: Verdict, width: int = WIDTH) -> str:
    """The report as plain text, with no line end at its end."""
    return plain(report(verdict, width))


def headline(verdict: Verdict) -> str:
    """The verdict in one line."""
    return plain([_headline(verdict)])


def report(verdict: Verdict, width: int) -> list[Line]:
    """All of the report, in sections separated by empty lines."""
    lines: list[Line] = [_headline(verdict)]
    lines += _sections((_fault, _checked, _caveats, _figures, profile_lines, *_OF_A_RUN), verdict, width)
    for other in each_further(verdict):
        lines += [EMPTY, line(Piece("Also violated: ", Role.BAD), one_line(_substance(other)))]
        if verdict.settings.get("keep_going"):
            lines += _sections((_fault, *_OF_A_RUN), other, width)
        else:
            lines.append(line("  --keep-going shows the run"))
    return lines


_OF_A_RUN: tuple[Section, ...] = (why_lines, counterexample, stillness_lines)


def _sections(sections: Iterable[Section], verdict: Verdict, width: int) -> Iterator[Line]:
    for section in sections:
        body = list(section(verdict, width))
        if body:
            yield from (EMPTY, *body)


def each_further(verdict: Verdict) -> Iterator[Verdict]:
    """A verdict for each further violation, as if it were the only one."""
    return (replace(verdict, violation=each.violation, counterexample=each.run, further=()) for each in verdict.further)


def _headline(verdict: Verdict) -> Line:
    answer = Piece(verdict.answer.value, _ROLES[verdict.answer])
    return line(Piece(f"{_model(verdict)}:", Role.STRONG), " ", answer, f" — {one_line(_substance(verdict))}")


def _model(verdict: Verdict) -> str:
    parameters = ", ".join(f"{name}={value}" for name, value in verdict.parameters.items())
    return f"{verdict.model}({parameters})" if parameters else verdict.model


def _substance(verdict: Verdict) -> str:
    if verdict.violation:
        return _what_happens(verdict.violation, verdict)
    if verdict.simulation:
        return simulated.substance(verdict, verdict.simulation)
    reason = _reason(verdict)
    if verdict.approximation and reason == verdict.caveats[0] and reason.code != "step-limit":
        return approximated.substance(verdict, verdict.approximation)
    states, total = figures.count(verdict.states, "state"), figures.seconds(verdict.seconds.total)
    if reason and reason.code in _EARLY_ENDS and verdict.states:
        return f"{reason.message.rstrip('.')}; no violation in the {states} explored ({total})"
    if reason:
        return f"{reason.message.rstrip('.')} ({states}, {total})"
    caveats = f" ({figures.count(len(verdict.caveats), 'caveat')})" if verdict.caveats else ""
    return f"{states}, {figures.count(verdict.edges, 'edge')}, depth {verdict.depth:,}, {total}{caveats}"


def _reason(verdict: Verdict) -> Caveat | None:
    """Why nothing was decided; the headline says it. Reasons are the first of the caveats."""
    if verdict.answer is not Answer.UNDECIDED or not verdict.caveats:
        return None
    return next((caveat for caveat in verdict.caveats if caveat.code in _EARLY_ENDS), verdict.caveats[0])


def _what_happens(violation: Violation, verdict: Verdict) -> str:
    """What goes wrong and when."""
    message = violation.message.rstrip(".")
    if violation.kind == "audit":
        return f"mistake in a reduction{_when(verdict)}: {message}"
    if violation.kind not in MODEL_ERRORS:
        return f"{_complaint(violation)}{_when(verdict)}"
    failing = verdict.counterexample and verdict.counterexample.failing
    where = f" in {failing}" if failing else ""
    return f"model error{where}{_when(verdict)}: {message}"


def _complaint(violation: Violation) -> str:
    """What the model says is wrong, if it has a message for it; else what its property says."""
    name, message = violation.property, violation.message.rstrip(".")
    match violation.kind:
        case "may-progress":
            return f"{name or 'progress'} can no longer be reached"
        case "must-progress":
            return f"{name or 'progress'} can be avoided for ever"
        case "recurrence":
            return f"{name or 'recurrence'} can be put off for ever"
        case "temporal":
            return f"{name or 'a formula'} is broken"
        case "termination":
            return "termination can no longer be reached"
        case "deadlock" if name and name in message:
            return f"{name} is false in a terminal state"
        case kind:
            return message or f"{kind} violated"


def _when(verdict: Verdict) -> str:
    """How many steps it takes to what is wrong: to where progress is lost, else to the end of the run."""
    run, violation = verdict.counterexample, verdict.violation
    if run is None:
        return ""
    if violation is not None and violation.kind == "temporal" and run.progress_lost_at is None:
        return f" in {initial_state(verdict)}"  # a formula of branching time logic
    steps = len(run) - 1 if run.progress_lost_at is None else run.progress_lost_at
    return f" after {figures.count(steps, 'step')}" if steps else f" in {initial_state(verdict)}"


def initial_state(verdict: Verdict) -> str:
    """The state that the run begins in."""
    return "the initial state" if verdict.initial_states == 1 else "an initial state"


def _fault(verdict: Verdict, width: int) -> Iterator[Line]:
    """The line of the model that a model error or a mistake is in, with a caret below what is at fault."""
    violation = verdict.violation
    if violation is None or violation.kind not in _AT_FAULT or violation.span is None:
        return
    span, text = violation.span, violation.span.source_line.rstrip()
    yield line("  ", place(span, Role.STRONG))
    if not text:
        return
    bare = text.lstrip()
    margin = max(0, span.column - 1 - (len(text) - len(bare)))
    ahead = "".join("\t" if c == "\t" else " " * cells(c) for c in bare[:margin])
    yield line("      ", bare)
    what = one_line(_AT_FAULT[violation.kind] or violation.message)
    yield line("      ", ahead, Piece(f"{'^' * span.caret_width} {what}", Role.BAD))


def _checked(verdict: Verdict, width: int) -> Iterator[Line]:
    """Each property with what is known of it."""
    if not verdict.checked:
        yield line("  ", Piece("no property was checked", Role.UNSURE))
    names = max((cells(each.name) for each in verdict.checked), default=0)
    kinds = max((cells(each.kind) for each in verdict.checked), default=0)
    for each in verdict.checked:
        role = _ROLES[each.answer]
        answer = each.answer.value
        yield line(
            "  ",
            Piece(f"{_MARKS[each.answer]} ", role),
            f"{padded(each.name, names)}  ",
            Piece(f"{padded(each.kind, kinds)}  ", Role.FAINT),
            Piece(answer, role),
            Piece(_place(each, verdict), Role.FAINT),
        )


def _place(checked: Checked, verdict: Verdict) -> str:
    """Where the violated property stands in the model."""
    found = [verdict.violation, *(each.violation for each in verdict.further)]
    for violation in found:
        if violation is None or violation.kind in _AT_FAULT or violation.span is None:
            continue
        if (violation.kind, violation.property) == (checked.kind, checked.name):
            return f"  {source(violation.span)}"
    return ""


def _caveats(verdict: Verdict, width: int) -> Iterator[Line]:
    """What the reader must know; the reason for having no answer is in the headline already."""
    for caveat in verdict.caveats:
        if caveat is _reason(verdict) and verdict.simulation is None and verdict.approximation is None:
            continue
        for number, text in enumerate(folded(caveat.message, width - 4)):
            yield line("  ", Piece("  " if number else "! ", Role.UNSURE), text)


def _figures(verdict: Verdict, width: int) -> Iterator[Line]:
    for name, fact in facts(verdict).items():
        for number, text in enumerate(folded(fact, width - 10) if fact else []):
            yield line("  ", Piece(padded("" if number else name, 8), Role.FAINT), text)


def facts(verdict: Verdict) -> dict[str, str]:
    """What the search met and what it cost, by a word for each."""
    if verdict.simulation:
        return {**simulated.facts(verdict, verdict.simulation), "with": _settings(verdict)}
    return {
        "space": _space(verdict),
        "table": approximated.table(verdict),
        "product": _product(verdict),
        "covered": _covered(verdict),
        "chosen": verdict.reduction.why,
        "group": _group(verdict),
        "time": _time(verdict),
        "memory": _memory(verdict),
        "ranks": _ranks(verdict),
        "spent": shares(verdict),
        "with": _settings(verdict),
    }


def _product(verdict: Verdict) -> str:
    product = verdict.product
    if product is None:
        return ""
    counts = f"{figures.count(product.states, 'state')}, {figures.count(product.edges, 'edge')}"
    return f"{counts}, searched on the fly"


def _space(verdict: Verdict) -> str:
    terminal = figures.count(verdict.terminal_states, "terminal state")
    counts = f"{figures.count(verdict.states, 'state')}, {figures.count(verdict.edges, 'edge')}"
    used = " and ".join(what for name, what in _REDUCTIONS.items() if getattr(verdict.reduction, name) != "off")
    begun = f", {verdict.initial_states:,} initial states" if verdict.initial_states > 1 else ""
    reduced = f", reduced by {used}" if used else ""
    return f"{counts}, depth {verdict.depth:,}, {terminal}{begun}{reduced}{_share(verdict)}"


def _ranks(verdict: Verdict) -> str:
    """Those of a cluster, and how evenly they have shared the work."""
    ranks = verdict.ranks
    if not ranks:
        return ""
    most = max(each.states for each in ranks) / max(1, verdict.states)
    memory, sent = max(each.memory_peak for each in ranks), sum(each.exchanged for each in ranks)
    largest = f"the largest with {most:.1%} of the states and {figures.size(memory)}"
    return f"{len(ranks):,}, {largest}; {figures.size(sent)} exchanged{_slow(verdict)}"


def _slow(verdict: Verdict) -> str:
    """The rank that all others waited for, if they did for a second and a quarter of the time."""
    waited = sorted((each.waited, rank) for rank, each in enumerate(verdict.ranks))
    lost = waited[1][0] - waited[0][0] if len(waited) > 1 else 0.0
    if lost < max(1.0, verdict.seconds.explore / 4):
        return ""
    return f"; rank {waited[0][1]} was slow: the others waited {figures.seconds(lost)} longer than it did"


_COVERED = {"transitions": "fired", "branches": "taken", "properties": "challenged", "range_ends": "reached"}


def _covered(verdict: Verdict) -> str:
    """How much of the model was reached."""
    coverage, words = verdict.coverage, _COVERED
    if coverage is None:
        return ""
    counted = [(kind, word, coverage.counts.get(kind, 0)) for kind, word in words.items()]
    return ", ".join(
        f"{coverage.reached(kind):,} of {of:,} {kind.replace('_', ' ')} {word}" for kind, word, of in counted if of
    )


def _group(verdict: Verdict) -> str:
    """The symmetries that were found, and what keeping the properties cost."""
    reduction = verdict.reduction
    if reduction.representatives is None:
        return "; ".join(reduction.costs)
    order = "symmetries" if reduction.group_order is None else f"{reduction.group_order:,} symmetries"
    exact = "" if reduction.exact else ", not always the same one"
    group = f"{order}; representatives: {reduction.representatives}{exact}"
    return "; ".join([group, *reduction.followed, *reduction.costs])


def _share(verdict: Verdict) -> str:
    """How many of the enabled transitions derived stubborn sets had, on average."""
    enabled = verdict.reduction.enabled
    if verdict.reduction.stubborn != "auto" or not enabled:
        return ""
    states = max(1, verdict.states)
    return f" ({verdict.edges / states:.1f} of {enabled / states:.1f} enabled transitions fired in a state)"


def _time(verdict: Verdict) -> str:
    spent = verdict.seconds
    choosing = [("choose", spent.choose)] if spent.choose else []
    stages = [("compile", spent.compile), *choosing, ("explore", spent.explore), ("check", spent.check)]
    detail = ", ".join(f"{name} {duration:.3f}" for name, duration in stages)
    speed = f", {figures.rate(verdict.edges, spent.explore)} edges/s" if spent.explore else ""
    return f"{figures.seconds(spent.total)} ({detail}){speed}"


def _memory(verdict: Verdict) -> str:
    peak = figures.size(verdict.memory.peak)
    if verdict.states < ENOUGH_STATES:
        return peak
    memory = verdict.memory
    kept = "" if memory.nodes is None else f"; states as trees of {figures.count(memory.nodes, 'part')}"
    kept += "" if memory.spilled is None else f"; {figures.size(memory.spilled)} in files"
    return f"{peak}, {memory.bytes_per_state:,.1f} bytes per state{kept}"


def _settings(verdict: Verdict) -> str:
    """The settings worth a word, in the words of the command line."""
    return ", ".join(_setting(name, value) for name, value in verdict.settings.items() if _remarkable(name, value))


def _remarkable(name: str, value: Any) -> bool:
    """Whether it says more than that the setting is as it is unless asked for."""
    return value not in (None, False, "off") and (name, value) != ("threads", 1)


def _setting(name: str, value: Any) -> str:
    name = name.replace("_", "-")
    if value is True:
        return name
    if isinstance(value, list | tuple):
        value = ",".join(map(str, value))
    elif name == "max-memory":
        value = figures.size(value)
    elif isinstance(value, int):
        value = f"{value:,}"
    return f"{name} {value}"
