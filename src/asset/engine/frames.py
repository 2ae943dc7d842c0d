"""Messages between a process and its child: pickled, each behind its length, read to the byte and no further.

So whoever waits for the next message by `select` is not misled by one that was read ahead.
"""

from __future__ import annotations

import os
import pickle
import struct
from typing import Any

_LENGTH = struct.Struct("<Q")


def send(pipe: int, *message: object) -> None:
    data = pickle.dumps(message)
    left = memoryview(_LENGTH.pack(len(data)) + data)
    while left:
        left = left[os.write(pipe, left) :]


def receive(pipe: int) -> tuple[Any, ...]:
    """The next message. Raises EOFError if the other side is gone."""
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    message: tuple[Any, ...] = pickle.loads(_exactly(pipe, length))
    return message


def _exactly(pipe: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(pipe, count)
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
