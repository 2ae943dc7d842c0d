"""Random models of components that are alike, or nearly: the text of a Python file with one model, `Alike`.

Each component has a state of its own and a flag; a variable may name one of them, another counts. Transitions and
properties are made of pieces that speak of a component, of the next one, of all, or of the one that is named. A
near-symmetry is a piece with another constant for one component.
"""

from __future__ import annotations

from textwrap import indent

from hypothesis import strategies as st

HEAD = """\
from asset import Array, Int, Model, invariant, may_progress, must_progress, terminal, transition, when


class Alike(Model):
    n: int = {n}

    def state(self):
        self.at = Array(self.n, Int(0, 2))
        self.flag = Array(self.n, False)
        self.named = Int(0, self.n, {named})
        self.count = Int(0, 2)
{special}
"""

GUARDS = (
    "self.at[i] == {k}",
    "self.at[i] < 2 and not self.flag[i]",
    "self.flag[i]",
    "self.named == i",
    "self.named == self.n",
    "self.named != i and self.at[i] == {k}",
    "not any(self.flag)",
    "sum(a == {k} for a in self.at) < 2",
    "self.count < 2",
    "self.named < self.n and self.at[self.named] == {k}",
    "all(self.at[j] != {k} for j in range(self.n) if j != i)",
)

AROUND = ("self.at[(i + 1) % self.n] == {k}", "not self.flag[(i + 1) % self.n]")

UPDATES = (
    "self.at[i] = {k}",
    "self.at[i] = (self.at[i] + 1) % 3",
    "self.flag[i] = not self.flag[i]",
    "self.flag[i] = True",
    "self.named = i",
    "self.named = self.n",
    "self.count = 2 - self.count",
    "self.count += 1",
    "for j in range(self.n):\n    self.flag[j] = False",
    "if self.named < self.n:\n    self.at[self.named] = {k}",
)

ROUND_UPDATES = (
    "self.at[(i + 1) % self.n] = {k}",
    "self.named = (i + 1) % self.n",
    "self.flag[(i + 1) % self.n] = True",
)

CLAIMS = (
    "sum(a == {k} for a in self.at) <= 1",
    "not all(self.flag)",
    "self.named == self.n or self.at[self.named] != {k}",
    "any(self.at[i] == {k} or self.flag[i] for i in range(self.n))",
    "self.count < 2 or not any(self.flag)",
    "self.at[0] != {k}",
    "self.named != 1",
)

OF_ONE = (
    "self.at[0] == {k}",
    "self.flag[1]",
    "self.named == 0 or self.flag[0]",
    "self.flag[0] != self.flag[1]",
    "self.named < self.n and self.at[self.named] == {k} and not self.flag[1]",
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

    n = draw(st.integers(2, 4))
    special = "        self.at[0] = 1" if draw(st.booleans()) else ""
    parts = [HEAD.format(n=n, named=draw(st.sampled_from(("0", "self.n", "self.n"))), special=special)]
    for number in range(draw(st.integers(1, 4))):
        guard = f"when({' and '.join(piece(guards) for _ in range(draw(st.integers(1, 2))))})"
        body = "\n".join([guard, *(piece(updates) for _ in range(draw(st.integers(1, 2))))])
        parts.append(f'    @transition(i="n")\n    def t{number}(self, i):\n{indent(body, "        ")}\n')
    for number, kind in enumerate(KINDS):
        for k in range(draw(st.integers(0, 1))):
            claims = CLAIMS + OF_ONE * 2 if "progress" in kind else CLAIMS
            claim = draw(st.sampled_from(claims)).replace("{k}", draw(constant))
            parts.append(f"    @{kind}\n    def p{number}{k}(self):\n        return {claim}\n")
    return "\n".join(parts)
