"""Children end with their parent, however that ends: it holds the other end of a pipe, which closes with it."""

from __future__ import annotations

import os
import select
import signal
import threading
from contextlib import suppress


def end_with_parent(pipe: int, unless_let_go: bool = False) -> None:
    """This process is ended when nobody holds the writing end of the pipe any more. What is in the pipe is left there,
    but with `unless_let_go`: then it says that the process may go on without its parent.

    A thread waits for it: code in C that runs for long, or for ever, is ended as well. (The system's own signal for the
    death of a parent comes when the thread ends that started the child, which may be too early.)
    """
    if hasattr(select, "poll"):
        with suppress(RuntimeError):  # the system gives no threads: the work goes on all the same
            arguments = (pipe, unless_let_go)
            threading.Thread(target=_wait_for_end, args=arguments, name="asset-orphan", daemon=True).start()


def let_go(pipe: int) -> None:
    """Who looks at the other end of the pipe goes on when it is closed."""
    os.write(pipe, b"1")


def _wait_for_end(pipe: int, unless_let_go: bool) -> None:
    ended = select.poll()
    ended.register(pipe, 0)  # that it was closed is always told
    ended.poll()
    if not (unless_let_go and os.read(pipe, 1)):
        os.kill(os.getpid(), signal.SIGKILL)
