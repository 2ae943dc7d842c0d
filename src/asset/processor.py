"""The processor that machine code is made for, and how many there are."""

from __future__ import annotations

import os


def processor() -> str:
    """The processor's kind and what it can do. Asking LLVM would take longer than to read what the system says."""
    machine = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_IDENTIFIER", "")
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
            first = info.read(8192).split("\n\n")[0]
    except OSError:
        return machine
    telling = ("vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU ")
    return machine + "".join(line for line in first.splitlines() if line.startswith(telling))


def processors() -> int:
    """How many this process may use: more threads than that only wait for each other."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
