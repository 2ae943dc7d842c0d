"""Names, constants and helpers in random models: texts, members of an Enum, queues as lists, maps, lists and dicts of
the module, helpers that give collections, choices in transitions."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

CONSTANTS = """
from enum import Enum
from asset import OneOf

TABLE = [(0, 1), (2, 0), (1, 1)]
GRAPH = {0: {1, 2}, 1: {2}, 2: set()}
PAIRS = {(0, 1), (1, 2), (2, 2)}
WORTH = {"idle": 1, "busy": 2}


class Hue(Enum):
    LIGHT = "light"
    DARK = "dark"

"""

STATE = """
        self.pc = Array(2, "idle")
        self.hue = Hue.LIGHT
        self.box = Queue(2, Int(0, 2))
        self.held = Map(Hue, Int(0, 2))
        self.level = [Int(0, 2), Int(0, 2, 1)]
        self.seen = Set((Hue, OneOf("idle", "busy", "done")), at_most=2)
"""

HELPERS = """
    def spots(self, text):
        return [k for k in range(2) if self.pc[k] == text]

    def first(self, text):
        found = self.spots(text)
        if not found:
            return None
        if text == "busy":
            return found[-1], 2
        return found[0], len(found)

    @property
    def reached(self):
        return {k for k in range(3) if k in self.box or k in self.level}
"""


class Naming:
    """Writes statements and numbers; `i` is a number wherever they stand."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def text(self) -> str:
        return self.pick('"idle"', '"busy"', '"done"', "self.pc[0]", "self.pc[i % 2]")

    def hue(self) -> str:
        return self.pick("Hue.LIGHT", "Hue.DARK", "self.hue")

    def known(self) -> str:
        return self.pick(
            "TABLE[i % 3][1]", "len(GRAPH[i % 3])", "sum(k * len(v) for k, v in GRAPH.items())", "TABLE[i][0]"
        )

    def number(self) -> str:
        writers: list[Callable[[], str]] = [
            self.known,
            lambda: f"self.pc.count({self.text()})",
            lambda: f"len(self.spots({self.text()}))",
            lambda: f"sum(self.spots({self.text()}))",
            lambda: f"self.held.get({self.hue()}, {self.pick('0', 'i')})",
            lambda: self.pick("sum(self.held.values())", "len(self.reached)", "self.level.index(1)", "self.box[-1]"),
            lambda: self.pick("divmod(self.out, 3)[1]", "sum(map(len, GRAPH.values()))", "self.box.count(1)"),
            lambda: f"WORTH[{self.text()}]",
        ]
        return writers[self.draw(st.integers(0, len(writers) - 1))]()

    def test(self) -> str:
        writers: list[Callable[[], str]] = [
            lambda: f"{self.text()} {self.pick('==', '!=')} {self.text()}",
            lambda: f"{self.hue()} {self.pick('==', '!=', 'is')} {self.hue()}",
            lambda: f'{self.text()} in ("busy", {self.text()})',
            lambda: self.pick("(i, self.level[0]) in PAIRS", "i in self.reached", "{0} <= self.reached", "i in GRAPH"),
            lambda: f"({self.hue()}, {self.text()}) in self.seen",
            lambda: f"self.first({self.text()}) is None",
            lambda: f"{self.number()} < {self.number()}",
        ]
        return writers[self.draw(st.integers(0, len(writers) - 1))]()

    def statement(self) -> str:
        writers: list[Callable[[], str]] = [
            lambda: f"self.pc[i % 2] = {self.text()}",
            lambda: f"self.hue = {self.hue()} if {self.test()} else {self.hue()}",
            lambda: self.pick("self.box.append(i % 3)", "self.box.pop()", "self.box[i - 2] = 1"),
            lambda: self.pick("self.out = self.box.pop(i - 1)", "self.box.remove(1)", "self.box.extend(self.level)"),
            lambda: self.pick("self.box.append(self.box.popleft())", "self.box.clear()"),
            lambda: f"self.held[{self.hue()}] = {self.number()}",
            lambda: f"self.level = [x if {self.test()} else 2 - x for x in self.level]",
            lambda: f"self.seen.add(({self.hue()}, {self.text()}))",
            lambda: f"found = self.first({self.text()})\nif found is not None:\n    self.out, count = found",
            lambda: f'match {self.text()}:\n    case "busy":\n        self.out = 1\n    case _:\n        self.out = 2',
            lambda: f"self.out = {self.number()}",
            lambda: f"for hue, worth in self.held.items():\n    self.out = worth if hue is {self.hue()} else 3",
            lambda: f"when({self.test()})",
        ]
        return writers[self.draw(st.integers(0, len(writers) - 1))]()

    def choosing(self) -> str:
        """The body of a transition that chooses."""
        beginning = self.pick(
            'text = choose("idle", "busy")\nself.pc[i % 2] = text',
            "hue, text = choose(self.seen)\nself.seen.remove((hue, text))",
            "i = choose(self.box)",
            "hue = choose(self.held)\ndel self.held[hue]",
            "if self.hue == Hue.DARK:\n    self.out = choose(i, i + 1)\nelse:\n    self.hue = Hue.DARK",
        )
        return f"{beginning}\n{self.statement()}"
