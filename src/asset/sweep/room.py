"""How much memory this machine has left: what the engine takes at most unless told otherwise (native/memory.cpp)."""

from __future__ import annotations

import os
from pathlib import Path

_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def free_memory() -> int:
    """Bytes that a check may take: nine tenths of what is free, in this container if there is one."""
    free = _free()
    for limit_file, usage_file in _GROUPS:
        limit, usage = _number(limit_file), _number(usage_file)
        if limit is not None and usage is not None:
            free = min(free, max(0, limit - usage))
    return free // 10 * 9


def _free() -> int:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:  # not Linux
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _number(file: str) -> int | None:
    """The number in the file; None if there is none: `max` is no limit."""
    try:
        return int(Path(file).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
