"""Runs what a request asks for in a thread that can be given up: the model may hang, exit or raise anything."""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class GivenUp(BaseException):
    """Raised in a thread whose answer nobody waits for any longer."""


async def within(seconds: float, does: Callable[[], Result]) -> Result:
    """What `does` returns. Raises what it raises, or TimeoutError if that takes too long: then the thread is told to
    end, and does so when it next runs code of Python."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Result] = loop.create_future()

    def settle(outcome: Result | Exception) -> None:
        if answer.done():
            return
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)

    def run() -> None:
        try:
            outcome: Result | Exception = does()
        except BaseException as failure:
            outcome = _ordinary(failure)
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, outcome)

    # Not of a pool, whose threads a process waits for at its end.
    thread = threading.Thread(target=run, name="asset-explore-request", daemon=True)
    thread.start()
    try:
        return await asyncio.wait_for(answer, seconds)
    finally:
        if answer.cancelled() and thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(GivenUp))


def _ordinary(failure: BaseException) -> Exception:
    """The failure as one that ends a request, and not the server (SystemExit of the model would)."""
    return failure if isinstance(failure, Exception) else RuntimeError(f"{type(failure).__name__}: {failure}")
