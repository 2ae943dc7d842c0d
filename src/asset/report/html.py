"""The verdict as one page that needs nothing else: the run as swim-lanes, each state, the source, in any browser."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from string import Template
from typing import Any

from asset.report import lanes
from asset.report.counterexample import explanations, length, remarks
from asset.report.document import harmless, one_line
from asset.report.page_parts import part, source_box, texts
from asset.report.reasons import deciding, why_title
from asset.report.stillness import sentences, stillness_of
from asset.report.stillness import title as still_title
from asset.report.table import changed, shown, source
from asset.report.text import each_further, facts, headline
from asset.verdict import Answer, Counterexample, NeverReached, Profile, Reason, Step, Value, Verdict

_BARS = 120  # so many fit into a plot
_MARKS = {Answer.HOLDS: "✓", Answer.VIOLATED: "✗", Answer.UNDECIDED: "?"}


_LEGEND = "● a step of the process, → assigns variables of another, ┄○ looks at them"


def render(verdict: Verdict) -> str:
    """The page; whatever comes from the model is escaped."""
    return Template(part("page.html")).substitute(
        title=escape(f"{verdict.model}: {verdict.answer.value}"),
        answer=verdict.answer.value,
        mark=_MARKS[verdict.answer],
        headline=escape(headline(verdict)),
        run="\n".join(_run(verdict)),
        overview="\n".join(_overview(verdict)),
        sources="" if verdict.counterexample else "\n".join(_sources(verdict)),
        data=_embedded(_data(verdict)),
        made=escape(f"Written by ASSET {verdict.version}, {verdict.date}".rstrip(", ")),
        style=part("look.css", "page.css"),
        script=part("parts.js", "page.js"),
    )


def _embedded(data: Any) -> str:
    """JSON that cannot end the element that it stands in."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


# --- what was checked -------------------------------------------------------------------------------------------


def _overview(verdict: Verdict) -> Iterator[str]:
    yield '<div class="overview">'
    yield from _section("What was checked", [_checked(verdict), *_caveats(verdict)])
    if verdict.violation is not None and verdict.violation.why:
        yield from _section(why_title(verdict), _reasons(verdict.violation.why))
    figures = "".join(f"<dt>{name}</dt><dd>{escape(fact)}</dd>" for name, fact in facts(verdict).items() if fact)
    command = f"<dt>command</dt><dd><code>{escape(verdict.command)}</code></dd>" if verdict.command else ""
    yield from _section("What it took", [f"<dl>{figures}{command}</dl>"])
    if len(verdict.levels) > 1:
        yield from _section("States by depth", [_plot(verdict.levels)])
    if verdict.profile is not None and verdict.profile.transitions:
        yield from _section("How often each transition fired", [_fired(verdict.profile)])
    if verdict.coverage is not None and verdict.coverage.never:
        yield from _section("Never reached", _never(verdict.coverage.never))
    yield from _further(verdict)
    yield "</div>"


def _plot(levels: Sequence[int]) -> str:
    """A bar for each depth; of many, a bar for as many depths as fit, as high as the highest of them."""
    together = -(-len(levels) // _BARS)
    bars = [max(levels[at : at + together]) for at in range(0, len(levels), together)]
    most, width = max(bars), 600 / len(bars)
    drawn = "".join(
        f'<rect x="{number * width:.1f}" y="{120 - 120 * count / most:.1f}" width="{max(1.0, width - 1):.1f}"'
        f' height="{120 * count / most:.1f}"><title>depth {number * together}: {count:,} states</title></rect>'
        for number, count in enumerate(bars)
    )
    said = f"{most:,} states at depth {levels.index(most):,}, the most; {len(levels) - 1:,} steps to the farthest"
    picture = f'<svg class="plot" role="img" aria-label="{said}" viewBox="0 0 600 120">{drawn}</svg>'
    return f"{picture}<p>{said}</p>"


def _fired(profile: Profile) -> str:
    """A bar for each transition, the most frequent first."""
    often = sorted(profile.transitions, key=lambda each: -each.fired)
    most = max(1, often[0].fired)
    rows = (
        f"<tr><th>{escape(each.name)}<br><small>{escape(source(each.span))}</small></th><td>{each.fired:,}</td>"
        f'<td class="bar"><meter min="0" max="{most}" value="{each.fired}">{each.fired:,}</meter></td></tr>'
        for each in often
    )
    return f'<table class="fired">{"".join(rows)}</table>'


def _never(places: Iterable[NeverReached]) -> Iterator[str]:
    """What a complete search did not reach, with its place."""
    yield "<ul>"
    for each in places:
        what = f"<code>{escape(each.name)}</code> {escape(one_line(each.text))}"
        yield f"<li>{what} <small>{escape(source(each.span))}</small></li>"
    yield "</ul>"


def _further(verdict: Verdict) -> Iterator[str]:
    """What else is violated, each with its run in words."""
    for other in each_further(verdict):
        told = [f"<p>{escape(headline(other))}</p>"]
        if other.counterexample is not None:
            told += _told(other.counterexample, other)
        yield from _section("Also violated", told)


def _section(title: str, content: Iterable[str]) -> Iterator[str]:
    yield f"<section><h2>{escape(title)}</h2>"
    yield from content
    yield "</section>"


def _checked(verdict: Verdict) -> str:
    if not verdict.checked:
        return "<p>No property was checked.</p>"
    rows = (
        f'<tr><td class="{each.answer.value}-mark">{_MARKS[each.answer]} {each.answer.value}</td>'
        f"<td><code>{escape(each.name)}</code></td><td>{escape(each.kind)}</td></tr>"
        for each in verdict.checked
    )
    return f"<table><tr><th>verdict</th><th>property</th><th>kind</th></tr>{''.join(rows)}</table>"


def _caveats(verdict: Verdict) -> Iterator[str]:
    if verdict.caveats:
        items = "".join(f"<li>{escape(one_line(caveat.message))}</li>" for caveat in verdict.caveats)
        yield f"<h3>Caveats</h3><ul>{items}</ul>"


def _reasons(reasons: Iterable[Reason]) -> Iterator[str]:
    yield "<ul>"
    for reason in reasons:
        cells = ", ".join(f"<code>{escape(each)}</code>" for each in deciding(reason))
        text, values = escape(reason.text), escape(reason.values)
        yield f"<li><code>{text}</code> is <code>{values}</code> <small>{escape(source(reason.span))}</small>"
        yield f"<br>{cells}" if cells else ""
        if reason.parts:
            yield from _reasons(reason.parts)
        yield "</li>"
    yield "</ul>"


# --- the run ----------------------------------------------------------------------------------------------------


def _run(verdict: Verdict) -> Iterator[str]:
    run = verdict.counterexample
    if run is None or not run.steps:
        return
    yield f'<section class="debugger" aria-label="Counterexample"><h2>Counterexample: {escape(length(run))}</h2>'
    yield from (f"<p>{escape(text)}</p>" for text in explanations(verdict))
    yield _controls(len(run) - 1)
    yield '<div class="player"><div class="run">'
    yield f'<div class="lanes" tabindex="0" role="group" aria-label="Swim-lanes">{lanes.drawn(verdict)}</div>'
    yield f'<p class="keys">{_LEGEND}</p>'
    yield from _told(run, verdict)
    yield '</div><div class="now-true">'
    yield '<div class="card"><h2>State</h2><pre id="words" hidden></pre>'
    yield '<table class="state"><tbody id="state"></tbody></table></div>'
    yield '<div class="card" id="properties-card"><h2>Properties in this state</h2>'
    yield '<table><tbody id="properties"></tbody></table></div>'
    yield from _stillness(verdict)
    yield '</div><div class="texts">'
    yield from _sources(verdict)
    yield "</div></div></section>"


def _stillness(verdict: Verdict) -> Iterator[str]:
    still = stillness_of(verdict)
    if still is not None:
        told = "".join(f"<li>{escape(text)}</li>" for text in sentences(still))
        yield f'<div class="card" id="stillness"><h2>{escape(still_title(verdict))}</h2><ul>{told}</ul></div>'


def _controls(last: int) -> str:
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{what}">{sign}</button>'
        for name, what, sign in (
            ("first", "First step", "|◀"),
            ("previous", "Previous step", "◀"),
            ("next", "Next step", "▶"),
            ("last", "Last step", "▶|"),
        )
    )
    slider = f'<input type="range" id="step" min="0" max="{last}" value="0" aria-label="Step of the run">'
    keys = "<kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> <kbd>End</kbd> first and last; or click on a step."
    said = '<p id="said" role="status" aria-live="polite"></p>'
    return f'<div class="controls">{buttons}{slider}</div>{said}<p class="keys">{keys}</p>'


def _told(run: Counterexample, verdict: Verdict) -> Iterator[str]:
    """The run as a table: what the swim-lanes show, in words."""
    yield '<details><summary>The run as a table</summary><table class="told">'
    yield "<tr><th>step</th><th>process</th><th>transition</th><th>changes</th></tr>"
    said = remarks(run, verdict.violation)
    for number, step in enumerate(run.steps):
        changes = "<br>".join(escape(changed(change)) for change in step.changes)
        yield (
            f'<tr data-step="{number}"><td>{number}</td><td>{escape(step.process or "")}</td>'
            f"<td>{escape(step.move or step.transition or 'initial state')}</td><td>{changes}</td></tr>"
        )
        for remark in said.get(number, ()):
            yield f'<tr><td></td><td colspan="3"><strong>{escape(remark.text)}</strong></td></tr>'
        if number == run.cycle_starts_at:
            yield '<tr><td></td><td colspan="3"><strong>the cycle: what follows repeats for ever</strong></td></tr>'
    if run.failing:
        yield f"<tr><td>{len(run)}</td><td></td><td>{escape(run.failing)}</td><td>model error</td></tr>"
    yield "</table></details>"


def _sources(verdict: Verdict) -> Iterator[str]:
    """The model, every line with a name of its own, and the violated property and what was never reached marked."""
    span = verdict.violation.span if verdict.violation is not None else None
    never = {(n.span.file, n.span.line) for n in verdict.coverage.never} if verdict.coverage is not None else set()
    for number, (file, text) in enumerate(verdict.sources.items()):
        kinds = {line: "never" for where, line in never if where == file}
        if span is not None and span.file == file:
            kinds.setdefault(span.line, "property")
        yield source_box(number, file, text, kinds)


# --- what the script knows --------------------------------------------------------------------------------------


def _data(verdict: Verdict) -> dict[str, Any]:
    """The run by the variables that change; the script makes the states from them."""
    run = verdict.counterexample
    if run is None or not run.steps:
        return {"steps": []}
    said = {at: tuple(r.text for r in each) for at, each in remarks(run, verdict.violation).items()}
    files = {file: number for number, file in enumerate(verdict.sources)}
    befores = [run.steps[0], *run.steps]
    steps = [
        _step(before, step, files) | {"said": _said(run, at, step, said.get(at, ()))}
        for at, (before, step) in enumerate(zip(befores, run.steps, strict=False))
    ]
    start = 0 if len(run) == 1 else 1
    return {
        "initial": _becomes({}, run.steps[0].state),
        "steps": steps,
        "cycle": run.cycle_starts_at,
        "start": start,
        "required": [each.name for each in verdict.checked if each.kind in ("safety", "deadlock")],
    }


def _step(before: Step, step: Step, files: dict[str, int]) -> dict[str, Any]:
    data: dict[str, Any] = {"becomes": _becomes(before.state, step.state), "holds": dict(step.holds)}
    if step.shown is not None:
        data["shown"] = "\n".join(harmless(step.shown))
    if step.body is not None and step.body.file in files:
        data |= {"file": files[step.body.file], "body": [step.body.line, step.body.end_line], "lines": step.lines}
    return data


def _becomes(before: Mapping[str, Value], after: Mapping[str, Value]) -> dict[str, Any]:
    """The variables that changed, each with what it becomes: its value, or the elements that changed by their index."""
    return {
        name: _change(before.get(name), value)
        for name, value in after.items()
        if name not in before or before[name] is not value
    }


def _change(before: Value, after: Value) -> Any:
    """An object has the elements that changed; a list or a text is the whole value."""
    if type(before) is not list or type(after) is not list or len(before) != len(after) or not after:
        return texts(after)
    changed = ((k, old, new) for k, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new)
    return {str(k): _change(old, new) for k, old, new in changed}


def _said(run: Counterexample, number: int, step: Step, remarked: tuple[str, ...]) -> str:
    """The step in words, for those who hear the page as well."""
    who = f"{step.transition} by {step.process}" if step.process else step.transition or "the initial state"
    if step.code:
        who = f"{step.move or step.transition}: {one_line(step.code)}"
    changes = "; ".join(f"{c.cell} from {shown(c.before)} to {shown(c.after)}" for c in step.changes)
    did = f": {changes}" if changes else (", nothing changes" if step.transition else "")
    loops = ["the cycle begins here"] if number == run.cycle_starts_at else []
    if run.cycle_starts_at is not None and number == len(run) - 1:
        loops.append(f"this is the state of step {run.cycle_starts_at} again")
    return ". ".join([f"{who}{did}", *(text[:1].upper() + text[1:] for text in (*remarked, *loops))])
