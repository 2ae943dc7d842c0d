"""Random machines in AsmetaL: small domains, every kind of rule, terms of the right kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

HEAD = """\
asm random
signature:
    domain N subsetof Integer
    enum domain E = {RED | GREEN | BLUE}
    controlled a: N
    controlled b: N
    controlled e: E
    controlled p: Boolean
    controlled f: N -> N
    controlled g: Prod(E, N) -> Boolean
    controlled o: E -> N
    monitored m: N
    monitored q: E -> Boolean
    static s: N -> N
    derived d: N -> Boolean
definitions:
    domain N = {0 : 2}
    function s($x in N) = switch $x case 0: 2 case 1: 0 otherwise 1 endswitch
    function d($x in N) = f($x) = a or $x > b
    rule r_one($x in N, $c in E) =
        RULE_ONE
    rule r_two($x in N) =
        RULE_TWO
    main rule r_Main =
        MAIN
default init s0:
    function a = 0
    function b = 1
    function e = RED
    function p = false
    function f($x in N) = $x
    function g($c in E, $x in N) = $c = RED
"""


NAMES = (
    HEAD.replace("enum domain E = {RED | GREEN | BLUE}", "abstract domain E")
    .replace(
        "controlled p: Boolean", "controlled p: Boolean controlled w: Powerset(E) controlled z: Powerset(Powerset(E))"
    )
    .replace("    main rule", "    invariant over a: PROPERTY\n    main rule")
    .replace("    function e = RED\n", "    function w = {} function z = {}\n")
    .replace("= $c = RED", "= $x = 0")
)
"""The same with elements that nothing tells apart."""


BY_NAME = HEAD.replace(
    "    main rule",
    "    rule r_three($l in N, $x in N) =\n        RULE_THREE\n"
    "    rule r_four($k in N) =\n        RULE_FOUR\n    main rule",
)
"""The same with rules that update their parameters."""


TUPLES = HEAD.replace(
    "    monitored m: N",
    "    controlled t: Prod(N, Prod(E, N)) controlled u: E -> Prod(N, N)\n    monitored m: N monitored r: Prod(N, N)",
).replace("    function e = RED\n", "    function e = RED function t = (undef, (RED, 1))\n")
"""The same with tuples, parts of which may be `undef`."""


def with_named_colours(text: str) -> str:
    """A machine made with `names`, of which the walk knows the elements; it asks for no property."""
    text = "\n".join(each for each in text.split("\n") if not each.startswith("    invariant"))
    text = text.replace("abstract domain E", "enum domain E = {RED | GREEN | BLUE}")
    return text.replace("function w = {}", "function e = RED function w = {}")


def with_fractions(text: str, seed: int) -> str:
    """The same machine with a fraction of each number, so that it has as many states and steps."""
    random = Random(seed)
    parts = random.choice([2, 3, 4, 10])

    def fraction(found: re.Match[str]) -> str:
        number = found[0]
        decimal = str(int(number) / parts) if parts != 3 else f"({number} / 3)"
        return random.choice([decimal, f"({number} / {parts})", f"(2 * {number} / {2 * parts})"])

    text = text.replace("{0 : 2}", "{0 : 2, 1}")
    return re.sub(r"(?<![\w$.])\d+(?!\w)", fraction, text)


class RandomMachine:
    """With `wild`, updates now and then leave the range of their function, and blocks are long; with `loops`, rules go
    round; with `names`, no element of E is mentioned; with `by_name`, rules update their parameters; with
    `tuples`, functions have them as values; with `tries`, rules are tried, and have functions of their own."""

    def __init__(
        self,
        seed: int,
        wild: bool = False,
        loops: bool = False,
        names: bool = False,
        by_name: bool = False,
        tuples: bool = False,
        tries: bool = False,
    ) -> None:
        self._colours = () if names else ("RED", "GREEN", "BLUE")
        self._random = Random(seed)
        self._names = 0
        self._wild = wild
        self._loops = loops
        self._by_name = by_name
        self._tuples = tuples
        self._tries = tries

    def text(self) -> str:
        if self._by_name:
            return self._text_by_name()
        head = TUPLES if self._tuples else HEAD if self._colours else NAMES
        text = head.replace("RULE_ONE", self.rule(2, ["$x"], ["$c"], 0))
        text = text.replace("PROPERTY", "" if self._colours else self.truth(3, [], []))
        text = text.replace("RULE_TWO", self.rule(2, ["$x"], [], 1))
        return text.replace("MAIN", self.rule(3, [], [], 2))

    def _text_by_name(self) -> str:
        text = BY_NAME.replace("RULE_ONE", self.rule(1, ["$x"], ["$c"], 0))
        text = text.replace("RULE_TWO", self.rule(1, ["$x"], [], 1))
        text = text.replace("RULE_THREE", self._stages(["$l", "$x"], 2))
        text = text.replace("RULE_FOUR", self._stages(["$k"], 3))
        return text.replace("MAIN", self.rule(1, [], [], 4))

    def _stages(self, xs: list[str], callable_: int) -> str:
        stages = " ".join(self.rule(self._random.randrange(2), xs, [], callable_) for _ in range(3))
        return self._one(f"seq {stages} endseq", f"par seq {stages} endseq {self.rule(0, xs, [], 0)} endpar")

    def _one(self, *options: str) -> str:
        return self._random.choice(options)

    def _made(self, *options: Callable[[], str]) -> str:
        """One of the texts, of which only that one is made."""
        return self._random.choice(options)()

    def _fresh(self) -> str:
        self._names += 1
        return f"$v{self._names}"

    # --- terms ------------------------------------------------------------------------------------------------------

    def number(self, depth: int, xs: list[str], cs: list[str]) -> str:
        """A number from 0 to 2, or `undef` now and then."""
        if depth <= 0:
            return self._one("a", "b", "0", "1", "2", "m", *xs, *xs)
        inner = lambda: self.number(depth - 1, xs, cs)  # noqa: E731
        if self._tuples and self._random.random() < 0.3:
            return self._one("first", "second") + f"({self._pair(depth - 1, xs, cs)})"
        return self._made(
            lambda: f"f({inner()})",
            lambda: f"s({inner()})",
            lambda: f"(({inner()} + {inner()}) mod 3)",
            lambda: f"max({inner()}, {inner()})",
            lambda: f"(if {self.truth(depth - 1, xs, cs)} then {inner()} else {inner()} endif)",
            lambda: f"(if isDef(o({self.colour(0, xs, cs)})) then {inner()} else 1 endif)",
            lambda: inner(),
        )

    def colour(self, depth: int, xs: list[str], cs: list[str]) -> str:
        if depth <= 0:
            return self._one("e", *self._colours, *cs, *cs)
        left, right = self.colour(depth - 1, xs, cs), self.colour(0, xs, cs)
        return self._one(f"(if {self.truth(depth - 1, xs, cs)} then {left} else {right} endif)", left)

    def truth(self, depth: int, xs: list[str], cs: list[str]) -> str:
        number = lambda: self.number(depth - 1, xs, cs)  # noqa: E731
        if depth <= 0:
            return self._one("p", "true", f"q({self.colour(0, xs, cs)})", f"a = {self.number(0, xs, cs)}")
        inner = lambda: self.truth(depth - 1, xs, cs)  # noqa: E731
        x, c = self._fresh(), self._fresh()
        if self._tuples and self._random.random() < 0.4:
            return self._about_tuples(depth, xs, cs)
        return self._made(
            lambda: f"({number()} {self._one('=', '!=', '<', '<=', '>')} {number()})",
            lambda: f"({inner()} {self._one('and', 'or', 'implies', 'xor', 'iff')} {inner()})",
            lambda: f"(not {inner()})",
            lambda: f"g({self.colour(0, xs, cs)}, {number()})",
            lambda: f"d({number()})",
            lambda: f"({self.colour(1, xs, cs)} = {self.colour(0, xs, cs)})",
            lambda: f"(o({self.colour(0, xs, cs)}) = {number()})",
            lambda: (
                f"({self._one('forall', 'exist', 'exist unique')} {x} in N with {self.truth(depth - 1, [*xs, x], cs)})"
            ),
            lambda: f"({self._one('forall', 'exist')} {c} in E with {self.truth(depth - 1, xs, [*cs, c])})",
            lambda: f"contains({{{x} in N | {self.truth(depth - 1, [*xs, x], cs)}}}, {self.number(0, xs, cs)})",
        )

    def _pair(self, depth: int, xs: list[str], cs: list[str]) -> str:
        if depth <= 0:
            given = "(first(r), second(r))"  # r itself could be undef only if it were asked for that
            return self._one(given, f"u({self.colour(0, xs, cs)})", "(undef, a)", "undef", "(b, undef)")
        inner = lambda: self._one("undef", self.number(depth - 1, xs, cs), self.number(0, xs, cs))  # noqa: E731
        return self._made(
            lambda: f"({inner()}, {inner()})",
            lambda: f"(first(t), {inner()})",
            lambda: f"({inner()}, second(second(t)))",
            lambda: (
                f"(if {self.truth(depth - 1, xs, cs)} then {self._pair(depth - 1, xs, cs)} "
                f"else {self._pair(depth - 1, xs, cs)} endif)"
            ),
        )

    def _nested(self, depth: int, xs: list[str], cs: list[str]) -> str:
        number = lambda: self._one("undef", self.number(depth - 1, xs, cs))  # noqa: E731
        return self._made(
            lambda: f"({number()}, ({self.colour(0, xs, cs)}, {number()}))",
            lambda: f"({number()}, (undef, {number()}))",
            lambda: f"({number()}, undef)",
            lambda: f"({number()}, second(t))",
            lambda: "undef",
        )

    def _about_tuples(self, depth: int, xs: list[str], cs: list[str]) -> str:
        pair = lambda: self._pair(depth - 1, xs, cs)  # noqa: E731
        return self._made(
            lambda: f"({pair()} = {pair()})",
            lambda: f"(t {self._one('=', '!=')} {self._nested(depth, xs, cs)})",
            lambda: f"{self._one('isDef', 'isUndef')}({self._one('t', 'first(t)', 'second(t)', pair())})",
            lambda: f"(switch {pair()} case (undef, 1): true case (0, undef): p otherwise isUndef(t) endswitch)",
        )

    # --- rules ------------------------------------------------------------------------------------------------------

    def rule(self, depth: int, xs: list[str], cs: list[str], callable_: int) -> str:
        if depth <= 0:
            return self._update(xs, cs)
        inner = lambda more=(), other=(): self.rule(depth - 1, [*xs, *more], [*cs, *other], callable_)  # noqa: E731
        x, c = self._fresh(), self._fresh()
        guard = self.truth(1, [*xs, x], cs)
        long = self._wild and depth > 1
        options = [
            lambda: f"par {inner()} {inner()} {inner() if long else ''} {inner() if long else ''} endpar",
            lambda: f"seq {inner()} {inner()} {inner()} endseq",
            lambda: f"if {self.truth(2, xs, cs)} then {inner()} else {inner()} endif",
            lambda: f"if {self.truth(1, xs, cs)} then {inner()} endif",
            lambda: f"forall {x} in N with {guard} do {inner([x])}",
            lambda: f"forall {c} in E with {self.truth(1, xs, [*cs, c])} do {inner((), [c])}",
            lambda: f"choose {x} in N with {guard} do {inner([x])} ifnone {inner()}",
            lambda: f"choose {c} in E with true do {inner((), [c])}",
            lambda: f"let ({x} = {self.number(2, xs, cs)}) in {inner([x])} endlet",
            lambda: (
                f"switch {self.colour(0, xs, cs)} case {(self._colours or 'e')[0]}: {inner()} "
                f"case {(self._colours or 'e')[-1]}: {inner()} otherwise {inner()} endswitch"
            ),
        ]
        if self._loops:
            bound = self._one("1", "2", "3")
            options += [
                lambda: f"while b < {bound} do seq {inner()} b := b + 1 endseq",
                lambda: (
                    f"seq b := 0 while {self.truth(1, xs, cs)} and b < {bound} do "
                    f"par {inner()} b := b + 1 endpar endseq"
                ),
                lambda: f"iterate if b < {bound} then seq b := b + 1 {inner()} endseq endif enditerate",
            ]
        if self._tries:
            options += [lambda: self._try(depth, xs, cs, inner)] * 4 + [lambda: self._local(xs, cs)]
        if callable_ > 0:
            options += [lambda: f"r_one[{self.number(1, xs, cs)}, {self.colour(1, xs, cs)}]"] * 2
        if callable_ > 1:
            options += [lambda: f"r_two[{self.number(1, xs, cs)}]"] * 2
        if callable_ > 2:
            options += [lambda: f"r_three[{self._location(xs, cs)}, {self.number(1, xs, cs)}]"] * 6
        if callable_ > 3:
            options += [lambda: f"r_four[{self._location(xs, cs)}]"] * 6
        return self._made(*options)

    def _try(self, depth: int, xs: list[str], cs: list[str], inner: Callable[[], str]) -> str:
        caught = self._one("a", "a, b", f"f({self.number(0, xs, cs)})", f"b, f({self.number(1, xs, cs)}), e")
        return f"try {self._tried(depth, xs, cs)} catch {caught} {inner()}"

    def _tried(self, depth: int, xs: list[str], cs: list[str]) -> str:
        """A rule that chooses nothing."""
        if depth <= 0:
            return self._update(xs, cs)
        inner = lambda more=(): self._tried(depth - 1, [*xs, *more], cs)  # noqa: E731
        x = self._fresh()
        return self._made(
            lambda: f"par {inner()} {inner()} {inner()} endpar",
            lambda: f"seq {inner()} {inner()} endseq",
            lambda: f"par {inner()} seq {inner()} {inner()} endseq endpar",
            lambda: f"if {self.truth(1, xs, cs)} then {inner()} else {inner()} endif",
            lambda: f"forall {x} in N with {self.truth(1, [*xs, x], cs)} do {inner([x])}",
        )

    def _local(self, xs: list[str], cs: list[str]) -> str:
        k, x, number = f"k{self._fresh()[1:]}", self._fresh(), lambda: self.number(1, xs, cs)
        begun = self._one(
            f"forall {x} in N do {k}({x}) := {self.number(1, [*xs, x], cs)}", f"forall {x} in N do {k}({x}) := 2"
        )
        later = self._one(f"{k}({number()}) := {number()}", f"{k}(1) := {k}({number()})")
        last = self._one(f"a := {k}({number()})", f"b := {k}(a)", f"f({number()}) := {k}(2)")
        return f"local {k}: N -> N [{begun}] seq {later} {last} endseq"

    def _location(self, xs: list[str], cs: list[str]) -> str:
        parameters = [each for each in xs if each in ("$l", "$k")]
        return self._one("a", "b", f"f({self.number(1, xs, cs)})", *parameters, *parameters)

    def _update(self, xs: list[str], cs: list[str]) -> str:
        number, colour = self.number(1, xs, cs), self.colour(0, xs, cs)
        parameters = [each for each in xs if each in ("$l", "$k")]
        if parameters and self._random.random() < 0.5:
            return f"{self._one(*parameters)} := {number}"
        if not self._colours and self._random.random() < 0.3:
            return self._one(f"w := {{{colour}, e}}", "z := including(z, w)", f"w := excluding(w, {colour})", "w := {}")
        if self._tuples and self._random.random() < 0.4:
            return self._one(f"t := {self._nested(1, xs, cs)}", f"u({colour}) := {self._pair(1, xs, cs)}")
        if self._wild and self._random.random() < 0.3:
            return self._one(f"a := a + {number}", f"b := {number} - 1", f"f({number}) := f(b) + 1", "b := b + 1")
        return self._one(
            f"a := {number}",
            f"b := {number}",
            f"e := {self.colour(1, xs, cs)}",
            f"p := {self.truth(1, xs, cs)}",
            f"f({self.number(0, xs, cs)}) := {number}",
            f"f({number}) := {self.number(0, xs, cs)}",
            f"g({colour}, {number}) := {self.truth(1, xs, cs)}",
            f"o({colour}) := {self._one(number, number, 'undef')}",
            "skip",
        )
