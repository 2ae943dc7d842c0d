"""Channels for message passing: records with methods, made of the state types.

    from asset.channels import Lossy

    self.wire = Lossy(Queue(3, Message(...)))     # in state()
    self.wire.send(Message(Kind.DATA, bit))       # in a transition: disabled while the channel is full
    message = self.wire.receive()                 # disabled while it is empty

What a channel may do by itself is a transition that the modeller writes, so that it is seen in counterexamples:

    @transition(k=3)
    def lose(self, k):
        self.wire.lose(k)

A Synchronous channel has no room: in a process, to send and to receive are one step of both.

    self.call = Synchronous()           # in state()
    self.call.send(number)              # in one process
    number = self.call.receive()        # in another one
"""

from __future__ import annotations

from typing import Any

from asset.model import Record, Synchronous, when

__all__ = ["Channel", "Duplicating", "Lossy", "Rendezvous", "Reordering", "Synchronous", "Unreliable"]


class Channel(Record):
    """A reliable channel: what is sent is received, once and in order. `messages` is a Queue."""

    messages: Any

    def send(self, message: Any) -> None:
        """Sends the message; disabled while the channel is full."""
        when(not self.messages.full())
        self.messages.put(message)

    def receive(self) -> Any:
        """Takes out the first message; disabled while there is none."""
        when(not self.messages.empty())
        return self.messages.get()


class Lossy(Channel):
    """A channel that may lose messages."""

    def lose(self, k: int) -> None:
        """Message number k is lost; disabled if there is no such message."""
        when(k < len(self.messages))
        self.messages.get(k)


class Duplicating(Channel):
    """A channel that may deliver the first message more than once."""

    def receive_again(self) -> Any:
        """The first message, which is still there to be received; disabled while there is none."""
        when(not self.messages.empty())
        return self.messages.peek()


class Unreliable(Lossy, Duplicating):
    """A channel that may lose and duplicate, and that keeps the order."""


class Reordering(Record):
    """A channel that keeps no order, so that its state does not depend on one. `messages` is a Bag."""

    messages: Any

    def send(self, message: Any) -> None:
        """Sends the message; disabled while as many like it are under way as the Bag takes."""
        when(self.messages.count(message) < self.messages.most)
        self.messages.add(message)

    def receive(self, message: Any) -> None:
        """Takes out such a message; disabled while there is none."""
        when(message in self.messages)
        self.messages.remove(message)

    def lose(self, message: Any) -> None:
        """Such a message is lost; disabled while there is none."""
        when(message in self.messages)
        self.messages.remove(message)


class Rendezvous(Record):
    """A channel without room: a sender offers and goes on only when its message was taken. `offered` is an Optional."""

    offered: Any

    def offer(self, message: Any) -> None:
        """Offers the message; disabled while another one is offered."""
        when(self.offered is None)
        self.offered = message

    def take(self) -> Any:
        """Takes the message that is offered; disabled while there is none."""
        when(self.offered is not None)
        taken = self.offered
        self.offered = None
        return taken

    def taken(self) -> bool:
        """Whether nothing is offered: the sender may go on."""
        return self.offered is None
