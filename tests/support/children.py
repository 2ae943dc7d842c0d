"""Children of this process that outlive what started them."""

from __future__ import annotations

import time

from asset.codegen import compiling


def await_those_let_go() -> None:
    """Waits until each child that makes better code for later has ended."""
    end = time.monotonic() + 60
    while compiling._those_let_go:
        assert time.monotonic() < end
        compiling._reap_those_let_go()
        time.sleep(0.01)
