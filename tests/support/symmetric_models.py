"""Random models of components that are alike, or nearly: the text of a Python file with one model, `Alike`.

Each component has a state of its own and a flag; a variable may name one of them, another counts. Transitions and
properties are made of pieces that speak of a component, of the next one, of all, or of the one that is named. A
near-symmetry is a piece with another constant for one component.
"""

from __future__ import annotations

from textwrap import indent

from hypothesis import strategies as st

HEAD = """\
from asset import Array, Int, Map, Model, Optional, Queue, Record, Set, choose, invariant, may_progress, must_progress
from asset import process, terminal, transition, when


class Ask(Record):
    who: int
    level: int


class Tell(Record):
    who: int
    seen: int


class Alike(Model):
    n: int = {n}

    def state(self):
        self.level = Array(self.n, Int(0, 2))
        self.flag = Array(self.n, False)
        self.named = Int(0, self.n, {named})
        self.count = Int(0, 2)
{special}
"""

COMPOUND = """\
        self.holder = Optional(Int(0, self.n - 1))
        self.queue = Queue(2, Int(0, self.n - 1))
        self.owner = Map(self.n, Int(0, self.n - 1))
        self.members = Set((self.n, 2))
"""
"""Places that may be empty."""

MESSAGES = """\
        who = Int(0, self.n - 1)
        self.mail = Set(Ask(who, Int(0, 1)) | Tell(who, who))
"""
"""A set of messages of two classes, which name components."""

MESSAGE_GUARDS = (
    "Ask(i, {k} % 2) in self.mail",
    "not any(isinstance(m, Tell) and m.who == i for m in self.mail)",
    "2 * sum(isinstance(m, Tell) and m.seen != m.who for m in self.mail) > self.n - 1",
    "all(m.level == 0 for m in self.mail if isinstance(m, Ask))",
    "max((m.level for m in self.mail if isinstance(m, Ask)), default={k}) < 2",
)

MESSAGE_UPDATES = (
    "self.mail.add(Ask(i, self.count % 2))",
    "self.mail.add(Tell(i, i if self.named == self.n else self.named))",
    "self.mail.add(Tell(i, i))",
    "self.mail.discard(Ask(i, {k} % 2))",
    "for m in self.mail:\n    if isinstance(m, Ask):\n        self.level[m.who] = m.level",
    "best = 0\nfor m in self.mail:\n    if isinstance(m, Ask) and m.level > best:\n        best = m.level\n"
    "self.level[i] = best",
    "m = choose(self.mail)\nself.mail.remove(m)\nmatch m:\n    case Ask(who, level):\n        self.level[who] = level"
    "\n    case Tell(who, seen):\n        self.flag[who] = seen == i",
)

SERVER = """\
    @process
    def server(self):
        while True:
            when(not self.queue.empty())
            who = self.queue.get()
            yield
            self.flag[who] = not self.flag[who]
            yield
"""
"""A local variable that names a component, at times."""

GUARDS = (
    "self.level[i] == {k}",
    "self.level[i] < 2 and not self.flag[i]",
    "self.flag[i]",
    "self.named == i",
    "self.named == self.n",
    "self.named != i and self.level[i] == {k}",
    "not any(self.flag)",
    "sum(a == {k} for a in self.level) < 2",
    "self.count < 2",
    "self.named < self.n and self.level[self.named] == {k}",
    "all(self.level[j] != {k} for j in range(self.n) if j != i)",
)

COMPOUND_GUARDS = (
    "self.holder is None",
    "self.holder is not None and self.holder != i",
    "self.holder == i",
    "not self.queue.full()",
    "not self.queue.empty() and self.queue.peek() == i",
    "i in self.queue",
    "i not in self.owner",
    "i in self.owner and self.level[self.owner[i]] == {k}",
    "all(self.level[j] == {k} for j in self.queue)",
    "(i, 0) in self.members",
    "sum(b for _, b in self.members) < 2",
    "all(j == i or b == 0 for j, b in self.members)",
)

COMPOUND_UPDATES = (
    "self.holder = i",
    "self.holder = None",
    "if not self.queue.full():\n    self.queue.put(i)",
    "if not self.queue.empty():\n    who = self.queue.get()\n    self.level[who] = {k}",
    "self.owner[i] = i if self.holder is None else self.holder",
    "self.owner.clear()",
    "if i in self.owner:\n    del self.owner[i]",
    "if self.holder is not None:\n    self.flag[self.holder] = True",
    "self.members.add((i, 1))",
    "for j, b in self.members:\n    self.level[j] = {k} + b if {k} < 2 else 0",
    "self.members.clear()",
)

AROUND = ("self.level[(i + 1) % self.n] == {k}", "not self.flag[(i + 1) % self.n]")

UPDATES = (
    "self.level[i] = {k}",
    "self.level[i] = (self.level[i] + 1) % 3",
    "self.flag[i] = not self.flag[i]",
    "self.flag[i] = True",
    "self.named = i",
    "self.named = self.n",
    "self.count = 2 - self.count",
    "self.count += 1",
    "for j in range(self.n):\n    self.flag[j] = False",
    "if self.named < self.n:\n    self.level[self.named] = {k}",
)

ROUND_UPDATES = (
    "self.level[(i + 1) % self.n] = {k}",
    "self.named = (i + 1) % self.n",
    "self.flag[(i + 1) % self.n] = True",
)

CLAIMS = (
    "sum(a == {k} for a in self.level) <= 1",
    "not all(self.flag)",
    "self.named == self.n or self.level[self.named] != {k}",
    "any(self.level[i] == {k} or self.flag[i] for i in range(self.n))",
    "self.count < 2 or not any(self.flag)",
    "self.level[0] != {k}",
    "self.named != 1",
)

OF_ONE = (
    "self.level[0] == {k}",
    "self.flag[1]",
    "self.named == 0 or self.flag[0]",
    "self.flag[0] != self.flag[1]",
    "self.named < self.n and self.level[self.named] == {k} and not self.flag[1]",
)
"""About progress only: symmetries need not keep what these speak of."""

KINDS = ("invariant", "terminal", "may_progress", "must_progress")


@st.composite
def symmetric_models(draw: st.DrawFn) -> str:
    """The text of a model; some have nothing but components that are alike, and some nearly so."""
    around = draw(st.booleans())
    guards, updates = (GUARDS + AROUND * 3, UPDATES + ROUND_UPDATES * 2) if around else (GUARDS, UPDATES)
    constant = st.integers(0, 2).map(str)

    def piece(pieces: tuple[str, ...]) -> str:
        text = draw(st.sampled_from(pieces))
        k = draw(constant)
        if draw(st.integers(0, 24)) == 0 and "i" in text:
            k = f"({k} if i else {draw(constant)})" if "for i in" not in text else k
        return text.replace("{k}", k)

    compound = draw(st.booleans())
    if compound:
        guards, updates = guards + COMPOUND_GUARDS * 2, updates + COMPOUND_UPDATES * 2
    messages = not compound and draw(st.booleans())
    if messages:
        guards, updates = guards + MESSAGE_GUARDS * 3, updates + MESSAGE_UPDATES * 3
    n = draw(st.integers(2, 2 if messages else 3 if compound else 4))
    special = "        self.level[0] = 1" if draw(st.booleans()) else ""
    parts = [HEAD.format(n=n, named=draw(st.sampled_from(("0", "self.n", "self.n"))), special=special)]
    if compound:
        parts.append(COMPOUND)
    if messages:
        parts.append(MESSAGES)
    for number in range(draw(st.integers(1, 4))):
        guard = f"when({' and '.join(piece(guards) for _ in range(draw(st.integers(1, 2))))})"
        body = "\n".join([guard, *(piece(updates) for _ in range(draw(st.integers(1, 2))))])
        parts.append(f'    @transition(i="n")\n    def t{number}(self, i):\n{indent(body, "        ")}\n')
    if compound and draw(st.booleans()):
        parts.append(SERVER)
    for number, kind in enumerate(KINDS):
        for k in range(draw(st.integers(0, 1))):
            claims = CLAIMS + OF_ONE * 2 if "progress" in kind else CLAIMS
            claim = draw(st.sampled_from(claims)).replace("{k}", draw(constant))
            parts.append(f"    @{kind}\n    def p{number}{k}(self):\n        return {claim}\n")
    return "\n".join(parts)
