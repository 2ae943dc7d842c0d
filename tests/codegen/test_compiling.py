"""Large programs are compiled in children, which can be ended, and done without."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import pytest
from children import await_those_let_go

from asset.codegen import compiling
from asset.codegen.pieces import Piece, cut

PIECES = [Piece(f"define i64 @f{k}() {{\n  ret i64 {k}\n}}\n", quickly=k % 2 == 0) for k in range(5)]


@pytest.fixture(autouse=True)
def in_children(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    await_those_let_go()  # by other tests
    monkeypatch.setattr(compiling, "ALONE_BYTES", 0)
    monkeypatch.setattr(compiling.threading, "active_count", lambda: 1)  # type: ignore[attr-defined]
    yield
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # none is left


def test_each_piece_is_compiled_in_its_order() -> None:
    codes = compiling.object_codes(PIECES)
    assert codes == [compiling.object_code(*piece) for piece in PIECES]
    assert all(f"f{k}".encode() in code for k, code in enumerate(codes))


def test_what_children_leave_undone_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    parent, made = os.getpid(), compiling.object_code

    def only_here(text: str, quickly: bool) -> bytes:
        if os.getpid() != parent and "@f3" in text:
            os._exit(1)
        return made(text, quickly)

    monkeypatch.setattr(compiling, "object_code", only_here)
    assert compiling.object_codes(PIECES) == [made(*piece) for piece in PIECES]


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
            compiling.object_codes(PIECES)
        assert time.monotonic() - heard_at[0] < 10


LONG = "define i64 @long(i64 %v0) {\n" + "".join(
    f"  %t{k} = mul i64 %v{k}, {2 * k + 3}\n  %s{k} = lshr i64 %t{k}, %v0\n  %v{k + 1} = xor i64 %s{k}, %t{k}\n"
    for k in range(40_000)
)
"""Several seconds of work for LLVM, which does not look up from it."""


def test_ctrl_c_ends_real_compilation_within_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    piece, waited = Piece(f"{LONG}  ret i64 %v40000\n}}\n", quickly=False), []
    with alarm_at_work(monkeypatch, 0.3) as heard_at:
        for _ in range(3):  # on a busy machine one of them may be late by no fault of ours
            with pytest.raises(KeyboardInterrupt):
                compiling.object_codes([piece, piece])
            waited.append(time.monotonic() - heard_at[-1])
            if waited[-1] < 0.5:
                break
    assert min(waited) < 0.5


SURROUNDINGS = "attributes #0 = { nounwind }\n"


def test_pieces_have_what_they_need_and_declare_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asset.codegen.pieces.PIECE_BYTES", 60)
    definitions = [
        "@table0 = private unnamed_addr constant [1 x i64] [i64 1]",
        "define private i64 @inner() {\n  %v = load i64, ptr @table0\n  ret i64 %v\n}\n",
        "define hidden i64 @command0(i64 %word0) #0 {\n  %v = call i64 @inner()\n  ret i64 %v\n}\n",
        "define i64 @fire() #0 {\n  %v = call i64 @command0(i64 1)\n  ret i64 %v\n}\n",
    ]
    first, second = cut(definitions, SURROUNDINGS)
    assert "@table0 =" in first.text and "define private i64 @inner" in first.text and "@fire" not in first.text
    assert "declare hidden i64 @command0(i64 %word0) #0" in second.text and "@inner" not in second.text
    assert len(compiling.object_codes([first, second])) == 2


def test_what_is_run_for_each_state_is_compiled_well_unless_it_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    definitions = [
        "@table0 = private unnamed_addr constant [1 x i64] [i64 1]",
        "define hidden void @candidates() #0 {\n  %v = load i64, ptr @table0\n  ret void\n}\n",
        "define i64 @successors() #0 {\n  call void @candidates()\n  ret i64 1\n}\n",
    ]
    well, quick = cut(definitions, SURROUNDINGS, well=("candidates",))
    assert "define hidden void @candidates" in well.text and "@table0 =" in well.text and not well.quickly
    assert "declare hidden void @candidates() #0" in quick.text and "@table0" not in quick.text and quick.quickly
    assert len(compiling.object_codes([well, quick])) == 2
    monkeypatch.setattr("asset.codegen.pieces.WELL_BYTES", len(definitions[1]) - 2)
    assert [piece.quickly for piece in cut(definitions, SURROUNDINGS, well=("candidates",))] == [True]
