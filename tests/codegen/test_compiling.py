"""Large programs are compiled in children, which can be ended, and done without."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import pytest

from asset.codegen import compiling
from asset.codegen.pieces import cut

TEXTS = [f"define i64 @f{k}() {{\n  ret i64 {k}\n}}\n" for k in range(5)]


@pytest.fixture(autouse=True)
def in_children(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(compiling, "ALONE_BYTES", 0)
    monkeypatch.setattr(compiling.threading, "active_count", lambda: 1)  # type: ignore[attr-defined]
    yield
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # none is left


def test_each_piece_is_compiled_in_its_order() -> None:
    codes = compiling.object_codes(TEXTS, quickly=True)
    assert codes == [compiling.object_code(text, True) for text in TEXTS]
    assert all(f"f{k}".encode() in code for k, code in enumerate(codes))


def test_what_children_leave_undone_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    parent, made = os.getpid(), compiling.object_code

    def only_here(text: str, quickly: bool) -> bytes:
        if os.getpid() != parent and "@f3" in text:
            os._exit(1)
        return made(text, quickly)

    monkeypatch.setattr(compiling, "object_code", only_here)
    assert compiling.object_codes(TEXTS, quickly=True) == [made(text, True) for text in TEXTS]


@contextmanager
def alarm_at_work(monkeypatch: pytest.MonkeyPatch, seconds: float) -> Iterator[list[float]]:
    """So long after the children have begun, there is a KeyboardInterrupt; what is yielded has the moments of these."""
    heard_at: list[float] = []
    receive = compiling._receive

    def heard(signum: int, frame: FrameType | None) -> None:
        heard_at.append(time.monotonic())
        raise KeyboardInterrupt

    def begun(children: Sequence[compiling._Child]) -> None:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        receive(children)

    monkeypatch.setattr(compiling, "_receive", begun)
    before = signal.signal(signal.SIGALRM, heard)
    try:
        yield heard_at
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_ctrl_c_is_heard_while_llvm_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "object_code", lambda *words: time.sleep(60))
    with alarm_at_work(monkeypatch, 0.05) as heard_at:
        with pytest.raises(KeyboardInterrupt):
            compiling.object_codes(TEXTS, quickly=True)
        assert time.monotonic() - heard_at[0] < 10


LONG = "define i64 @long(i64 %v0) {\n" + "".join(
    f"  %t{k} = mul i64 %v{k}, {2 * k + 3}\n  %s{k} = lshr i64 %t{k}, %v0\n  %v{k + 1} = xor i64 %s{k}, %t{k}\n"
    for k in range(40_000)
)
"""Several seconds of work for LLVM, which does not look up from it."""


def test_ctrl_c_ends_real_compilation_within_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    text, waited = f"{LONG}  ret i64 %v40000\n}}\n", []
    with alarm_at_work(monkeypatch, 0.3) as heard_at:
        for _ in range(3):  # on a busy machine one of them may be late by no fault of ours
            with pytest.raises(KeyboardInterrupt):
                compiling.object_codes([text, text], quickly=False)
            waited.append(time.monotonic() - heard_at[-1])
            if waited[-1] < 0.5:
                break
    assert min(waited) < 0.5


def test_pieces_have_what_they_need_and_declare_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.codegen.pieces.PIECE_BYTES", 60)
    definitions = [
        "@table0 = private unnamed_addr constant [1 x i64] [i64 1]",
        "define private i64 @inner() {\n  %v = load i64, ptr @table0\n  ret i64 %v\n}\n",
        "define hidden i64 @command0(i64 %word0) #0 {\n  %v = call i64 @inner()\n  ret i64 %v\n}\n",
        "define i64 @fire() #0 {\n  %v = call i64 @command0(i64 1)\n  ret i64 %v\n}\n",
    ]
    first, second = cut(definitions, "attributes #0 = { nounwind }\n")
    assert "@table0 =" in first and "define private i64 @inner" in first and "@fire" not in first
    assert "declare hidden i64 @command0(i64 %word0) #0" in second and "@inner" not in second
    assert len(compiling.object_codes([first, second], quickly=True)) == 2
