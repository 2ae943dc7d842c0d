"""Random processes, as the text of a Python file: yields in branches, loops and helper processes, choices, locals.

Every loop ends or yields, so that CPython's own generators can run the text as well. Each `choose` has a line of its
own.
"""

from __future__ import annotations

from textwrap import indent

from hypothesis import strategies as st

HEAD = """\
from asset import Array, Int, Model, choose, invariant, process, transition, when


class Random(Model):
    n: int = 2

    def state(self):
        self.x = Int(0, 3)
        self.flag = False
        self.a = Array(3, Int(0, 2))
        self.a[1] = 2

    def pause(self, k):
        if k > 1:
            return
        yield
        self.x = k % 4

    def pick(self, k):
        for m in range(2):
            yield
            if self.a[m] == k:
                return m
        return 2

    @transition
    def tick(self):
        when(self.flag)
        self.flag = False
        self.x = (self.x + 1) % 4

    @invariant
    def nothing(self):
        return not (self.at(self.second, "there") and self.x == 9)

"""

LOCALS = ("u", "v", "w")
values = st.sampled_from(
    [
        "0",
        "1",
        "2",
        "i",
        "u",
        "v",
        "w",
        "self.x",
        "self.a[i]",
        "self.a[u]",
        "self.n",
        "u + v",
        "self.x - 1",
        "i + 1",
        "c0",
        "c1",
    ]
)
conditions = st.builds("{} {} {}".format, values, st.sampled_from(["==", "<", ">="]), values) | st.just("self.flag")
alternatives = st.sampled_from(["0, 2", "True, False", "range(self.n)", "range(1, 3)", "self.x, u, 1", "(1, 0)"])


@st.composite
def simple(draw: st.DrawFn) -> list[str]:
    name, value = draw(st.sampled_from(LOCALS)), draw(values)
    return draw(
        st.sampled_from(
            [
                ["yield"],
                ["yield"],
                ['yield "there"'],
                [f"self.x = ({value}) % 4"],
                [f"self.a[i] = ({value}) % 3"],
                ["self.flag = not self.flag"],
                [f"{name} = ({value}) % 3"],
                [f"{name} = ({value}) % 3", "yield"],
                [f"when({draw(conditions)})"],
                [f"{name} = choose({draw(alternatives)}) % 3"],
                ["yield from self.pause(u)"],
                [f"{name} = yield from self.pick({value})"],
                ["return"],
            ]
        )
    )


def branch(test: str, body: list[str], other: list[str]) -> list[str]:
    return [f"if {test}:", *body, *(["else:", *other] if other else [])]


@st.composite
def block(draw: st.DrawFn, depth: int = 0, looping: bool = False) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 9 if depth < 3 else 4))
        if kind <= 4:
            lines += draw(simple())
        elif kind <= 6:
            test = draw(conditions | st.builds("choose({})".format, st.sampled_from(["True, False", "range(2)"])))
            inner = indented(draw(block(depth + 1, looping)))
            lines += branch(test, inner, indented(draw(block(depth + 1, looping))) if draw(st.booleans()) else [])
        else:
            lines += draw(loops(depth))
        if looping and draw(st.integers(0, 5)) == 0:
            lines += [f"if {draw(conditions)}:", f"    {draw(st.sampled_from(['break', 'continue']))}"]
    return lines


@st.composite
def loops(draw: st.DrawFn, depth: int) -> list[str]:
    """Loops that yield in each round, or end."""
    counter = f"c{depth % 2}"  # nested loops over one variable, too
    head = draw(
        st.sampled_from(
            [
                [f"for {counter} in range(self.n):"],
                [f"for {counter} in range(self.x):"],
                [f"for {counter} in range(2, 0, -1):"],
                [f"for {counter} in self.a:"],
                [f"while {draw(conditions)}:", "    yield"],
                ["while True:", "    yield"],
                [f"d{depth}: Int(0, 2) = 0", f"while d{depth} < 2:", f"    d{depth} += 1"],
                [f"for {counter} in range(len(self.a)):"],
            ]
        )
    )
    return [*head, *indented(draw(block(depth + 1, True)))]


def indented(lines: list[str]) -> list[str]:
    return indent("\n".join(lines), "    ").splitlines()


@st.composite
def processes(draw: st.DrawFn) -> str:
    """A model with two kinds of processes."""
    first = ["u, v, w = 0, 1, 0", "c0 = c1 = 0", *draw(block()), "yield", *draw(block())]
    second = ["i = 1", "u = 0", "v = 1", "w = 2", "c0 = 0", "c1 = 1", *draw(block()), 'yield "there"']
    text = ['@process(i="n")', "def first(self, i):", *indented(first), "", "@process", "def second(self):"]
    return HEAD + "\n".join(indented([*text, *indented(second)])) + "\n"
