"""A run as swim-lanes, in SVG: a column for each process, a row for each step, time going down.

A filled dot is a step of the lane's process; an arrow leads to a process whose variables it assigned, a dotted line to
one at whose variables it only looked (a hollow dot). Shapes say it, not colours. A cycle is a loop at the side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from asset.report.counterexample import remarks
from asset.report.document import cells, one_line
from asset.verdict import Counterexample, Step, Verdict, Violation

ROW, HEAD, LEFT, LOOP = 32, 36, 56, 110
"""The height of a row and of the head, the width of the numbers and of the loop."""

_LETTER = 7.4  # the width of a letter, about
_NARROW, _WIDE = 110, 300
_SMALLEST = 0.65  # how far the picture shrinks to its place before one has to scroll
_ALONE = "model"

MARKERS = (
    '<defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="arrow-head" d="M0 0 8 4 0 8z"/></marker>'
    '<marker id="round" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
    '<path class="loop-head" d="M0 0 8 4 0 8z"/></marker></defs>'
)


def drawn(verdict: Verdict) -> str:
    """The counterexample: the names of the lanes, which stay in sight, and the lanes; nothing if there is none."""
    run = verdict.counterexample
    return of_run(run, verdict.violation) if run is not None and run.steps else ""


def of_run(run: Counterexample, violation: Violation | None = None) -> str:
    """A run that has steps; what is said of the violation stands beside its steps."""
    return "\n".join(_Lanes.of(run, violation).lines())


@dataclass(frozen=True, slots=True)
class _Lanes:
    run: Counterexample
    said: Mapping[int, tuple[str, ...]]
    names: tuple[str, ...]
    lane: float
    """The width of a lane."""
    tops: tuple[float, ...]
    """Of each row; rows with remarks are higher."""

    @classmethod
    def of(cls, run: Counterexample, violation: Violation | None) -> _Lanes:
        said = {at: tuple(remark.text for remark in each) for at, each in remarks(run, violation).items()}
        names = run.processes or (_ALONE,)
        longest = max(cells(text) for text in [*names, *map(_label, run.steps)])
        tops, y = [], float(HEAD)
        for number in range(len(run) + (run.failing is not None) + 1):
            tops.append(y)
            y += ROW * (1 + len(said.get(number, ())))
        return cls(run, said, names, min(_WIDE, max(_NARROW, longest * _LETTER + 44)), tuple(tops))

    def lines(self) -> Iterator[str]:
        looped = self.run.cycle_starts_at is not None
        width, height = max(self._right + (LOOP if looped else 16), self._remarks_width()), self.tops[-1] + 8
        label = escape(f"The run as swim-lanes of {len(self.names)} processes; the table below tells the same")
        shared = f'width="{width:g}" style="min-width:{width * _SMALLEST:.0f}px"'
        yield f'<div class="heads"><svg aria-hidden="true" viewBox="0 0 {width:g} {HEAD}" {shared}>'
        yield from (_text("head", self._x(name) - 6, HEAD / 2, self._cut(name), name) for name in self.names)
        yield "</svg></div>"
        below = f'viewBox="0 {HEAD} {width:g} {height - HEAD:g}" {shared}'
        yield f'<svg class="steps" role="img" aria-label="{label}" {below}>{MARKERS}'
        yield from self._rails()
        for number, step in enumerate(self.run.steps):
            yield from self._row(number, step)
        if self.run.failing is not None:
            y = self.tops[len(self.run)] + ROW / 2
            yield _text("wrong", LEFT, y, self._failure())
        if looped:
            yield from self._loop()
        yield "</svg>"

    def _failure(self) -> str:
        return f"✗ {self.run.failing}: model error"

    def _remarks_width(self) -> float:
        """What the texts across the lanes need."""
        said = [text for each in self.said.values() for text in each]
        failure = LEFT + cells(self._failure()) * _LETTER if self.run.failing is not None else 0.0
        return 24 + max([failure, *(cells(text) * _LETTER for text in said)])

    @property
    def _right(self) -> float:
        return LEFT + self.lane * len(self.names)

    def _x(self, name: str | None) -> float:
        at = self.names.index(name) if name in self.names else 0
        return LEFT + self.lane * at + 18

    def _rails(self) -> Iterator[str]:
        for name in self.names:
            x = self._x(name)
            yield f'<line class="rail" x1="{x:g}" y1="{HEAD}" x2="{x:g}" y2="{self.tops[-1]:g}"/>'

    def _row(self, number: int, step: Step) -> Iterator[str]:
        top, y = self.tops[number], self.tops[number] + ROW / 2
        yield f'<g class="row" data-step="{number}" data-y="{top - HEAD:g}">'
        yield f'<rect class="band" x="1" y="{top:g}" width="{self._right - 2:g}" height="{ROW}" rx="5"/>'
        yield f'<text class="number" x="{LEFT - 14}" y="{y + 4.5:g}" text-anchor="end">{number}</text>'
        if step.transition is None:
            yield _text("label", LEFT + 28, y, "initial state")
        else:
            yield from self._step(step, y)
        yield "</g>"
        for at, text in enumerate(self.said.get(number, ()), start=1):
            yield from self._remark(text, y + at * ROW)

    def _step(self, step: Step, y: float) -> Iterator[str]:
        own = self._x(step.process)
        for name in step.reads:
            x = self._x(name)
            yield f'<line class="look" x1="{own:g}" y1="{y:g}" x2="{x:g}" y2="{y:g}"/>'
            yield f'<circle class="eye" cx="{x:g}" cy="{y:g}" r="4"/>'
        for name in step.writes:
            x = self._x(name)
            tip = x - 2 if x > own else x + 2
            yield f'<path class="arrow" d="M{own:g} {y:g}H{tip:g}" marker-end="url(#to)"/>'
        yield f'<circle class="dot" cx="{own:g}" cy="{y:g}" r="6"/>'
        lifted = y - 9 if step.writes or step.reads else y
        yield _text("label", own + 12, lifted, self._cut(_label(step)), step.move or step.transition)

    def _remark(self, text: str, y: float) -> Iterator[str]:
        yield f'<line class="remark" x1="4" y1="{y + 10:g}" x2="{self._right - 4:g}" y2="{y + 10:g}"/>'
        yield _text("remark-text", 10, y - 2, text)

    def _loop(self) -> Iterator[str]:
        """From the last row at the side up to the row whose state is the same."""
        start = self.tops[self.run.cycle_starts_at or 0] + ROW / 2
        end, x = self.tops[len(self.run) - 1] + ROW / 2, self._right
        way = f"M{x:g} {end:g}h18q12 0 12-12V{start + 12:g}q0-12-12-12h-14"
        yield f'<path class="loop" d="{way}" marker-end="url(#round)"/>'
        yield _text("remark-text", x + 36, (start + end) / 2 - 8, "repeats")
        yield _text("remark-text", x + 36, (start + end) / 2 + 8, "for ever")

    def _cut(self, text: str) -> str:
        most = int((self.lane - 40) / _LETTER)
        return text if cells(text) <= most else text[: most - 1] + "…"


def _label(step: Step) -> str:
    """What the step does; of a process, the text that it ran: whose it is, its lane says."""
    return one_line(step.code) or step.transition or ""


def _text(kind: str, x: float, y: float, text: str, title: str | None = None) -> str:
    more = f"<title>{escape(title)}</title>" if title is not None else ""
    return f'<text class="{kind}" x="{x:g}" y="{y + 4.5:g}">{escape(one_line(text))}{more}</text>'
