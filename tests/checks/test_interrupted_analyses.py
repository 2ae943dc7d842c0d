"""Ctrl-C is heard at once, whatever an analysis is doing: a check that it ends works half a second more at most.

Measured in seconds of the processor, so that it makes no difference what else the machine does.
"""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from places import MODELS
from scaling_models import Counters, Paxos, Pool, Swaps

import asset
from asset import Model
from asset.analysis.symmetry import automorphisms
from asset.analysis.symmetry.automorphisms import ColouredGraph
from asset.analysis.watch import Watch
from asset.frontends.python import load
from asset.verdict import Answer, Verdict

AT_ONCE = 0.5
LATER = 0.05
"""Seconds after a phase has begun: each of these phases takes longer."""

ARRIVING = 1.0
"""Seconds in which a child process has begun to work."""


@contextmanager
def ctrl_c(timer: int, seconds: float) -> Iterator[Callable[[], None]]:
    """Once it is called, what is yielded makes Ctrl-C come so much later."""
    ring = {signal.ITIMER_VIRTUAL: signal.SIGVTALRM, signal.ITIMER_REAL: signal.SIGALRM}[timer]
    before = signal.signal(ring, lambda *_: signal.raise_signal(signal.SIGINT))

    def wait() -> None:
        signal.setitimer(timer, seconds)

    gc.collect()
    gc.freeze()  # what other tests have left in memory is not looked through meanwhile
    try:
        yield wait
    finally:
        gc.unfreeze()
        signal.setitimer(timer, 0)
        signal.signal(ring, before)


def require_interrupted(verdict: Verdict) -> None:
    assert verdict.answer is Answer.UNDECIDED
    assert verdict.caveats[0].code == "interrupted"


def buffer() -> Model:
    return load(str(MODELS / "bounded_buffer.py:BoundedBuffer"), {"producers": "10", "consumers": "9", "capacity": "4"})


@pytest.mark.parametrize(
    ("phase", "model", "options"),
    [
        ("paths", buffer, {"stubborn": "auto"}),
        ("properties", lambda: Paxos(ballots=3), {"stubborn": "auto"}),
        ("what can hold together", lambda: Swaps(n=14), {"stubborn": "auto"}),
        ("rules", lambda: Pool(n=100), {"stubborn": "auto"}),
        ("what commands do", buffer, {"symmetry": "auto"}),
        ("symmetries", lambda: Counters(n=500), {"symmetry": "auto"}),
    ],
)
def test_an_analysis_hears_ctrl_c_in_every_phase(
    monkeypatch: pytest.MonkeyPatch, phase: str, model: Callable[[], Model], options: dict[str, str]
) -> None:
    begun: list[float] = []
    with ctrl_c(signal.ITIMER_VIRTUAL, LATER) as wait:

        def at(self: Watch, what: str, done: int, of: int, tell: Callable[..., None] = Watch.at) -> None:
            if what == phase and not begun:
                begun.append(time.process_time())
                wait()
            tell(self, what, done, of)

        monkeypatch.setattr(Watch, "at", at)
        verdict = asset.check(model(), analysis_time=600, **options)  # type: ignore[arg-type]
    assert time.process_time() - begun[0] < LATER + AT_ONCE
    require_interrupted(verdict)


def test_a_search_for_symmetries_by_a_child_process_hears_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[float] = []
    with ctrl_c(signal.ITIMER_REAL, ARRIVING) as wait:

        def asked(self: ColouredGraph, question: str, ask: Callable[..., object] = ColouredGraph._asked) -> object:
            begun.append(time.monotonic())
            wait()
            return ask(self, question)

        monkeypatch.setattr(automorphisms, "SMALL", 0)
        monkeypatch.setattr(ColouredGraph, "_asked", asked)
        monkeypatch.setattr(ColouredGraph, "_searched", lambda self, question: time.sleep(600))
        worked = time.process_time()
        verdict = asset.check(Counters(n=3), symmetry="auto", analysis_time=600)
    assert time.process_time() - worked < ARRIVING + AT_ONCE
    assert time.monotonic() - begun[0] < 60
    require_interrupted(verdict)
