"""Synchronous channels: what is sent is received in the same step, so that nothing is ever in them."""

from __future__ import annotations

from typing import Any, NoReturn

from asset.model.state import rejected


class Synchronous:
    """A channel without room: the step of a process that sends and the step of one that receives are one step.

    `self.page = Synchronous()` in `state()` is one such channel, `Synchronous(n)` are n of them, indexed from 0. It
    holds nothing, so that it is no state.
    """

    def __init__(self, *lengths: int) -> None:
        for length in lengths:
            if type(length) is not int or length < 1:
                raise rejected(f"there are {length!r} channels", "give a number from 1 on: Synchronous(3)")
        self.lengths = lengths

    def __getitem__(self, index: int) -> Synchronous:
        if not self.lengths:
            raise rejected("this is one channel, and not several", "write Synchronous(n) in state()")
        if not 0 <= index < self.lengths[0]:
            raise IndexError(f"there is no channel {index}: there are {self.lengths[0]}")
        return Synchronous(*self.lengths[1:])

    def send(self, message: Any) -> None:
        """A step of a process sends, and one of another process receives the message: both are one step."""
        self._reject("send")

    def receive(self) -> Any:
        """What another process sends in the same step."""
        self._reject("receive")

    def _reject(self, word: str) -> NoReturn:
        raise rejected(
            f"{word}() of a synchronous channel is a part of a step of a process",
            "write it in a method with @process, as a statement of its own",
        )
