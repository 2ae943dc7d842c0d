"""Random models in Promela: few processes, few values, every construct that SPIN counts states for."""

from __future__ import annotations

from random import Random

GLOBALS = ("g", "h")
ROOM = 4
"""Values are kept below this, so that models stay small."""


def random_model(seed: int) -> str:
    """A model that SPIN takes, with a few hundred to a few thousand states."""
    return _Writer(Random(seed)).model()


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.in_atomic = self.in_d_step = False
        self.loops = 0
        self.labels: list[str] = []
        self.made = 0
        self.makes = self.rich = self.waits_in_atomic = False

    def model(self) -> str:
        r = self.random
        capacities = [r.choice((0, 1, 2)) for _ in range(2)]
        head = ["byte g, h;", *(f"chan c{k} = [{n}] of {{ byte }};" for k, n in enumerate(capacities))]
        head += ["typedef T { byte f[2] = { 0, 1 }; bit b };", "T t;", f"byte a[3] = {{ {r.randrange(3)}, 1 }};"]
        head += ["mtype = { red, green };", "chan d[2] = [2] of { mtype, byte };", "mtype m;"]
        head += [f"chan r = [{r.choice((0, 1, 2))}] of {{ chan, byte }};", "typedef U { byte u; bit w };", "U s;"]
        head += [f"chan k = [{r.choice((0, 1))}] of {{ U }};"]
        self.rich = r.random() < 0.5
        """Whether there are constructs that are rare in models."""
        if self.rich:
            head += self.rich_head()
        self.capacities = capacities
        self.makes = r.random() < 0.3
        """Whether processes are made in the midst of others."""
        body = []
        for name in "PQ"[: r.choice((1, 2, 2))]:
            count = r.choice((1, 1, 2))
            provided = " provided (g != 3)" if r.random() < 0.06 else ""
            self.labels, self.made = [], 0
            statements = self.sequence(r.randint(2, 4), 2)
            alias = f"chan e = d[{r.choice(('0', '1', '_pid % 2'))}]; "
            alias += self.private if self.rich else ""
            first = r.choice(
                ("byte x; ", "byte x; ", "byte x = a[0]; ", "byte w = _pid + 1; byte x = 3 - w + t.f[1]; ")
            )
            body.append(f"active [{count}] proctype {name}(){provided} {{ {first}{alias}{statements} }}")
        if r.random() < 0.4:
            self.labels, self.made = [], 0
            alias = self.private if self.rich else ""
            body.append(f"proctype R(byte y) {{ byte x; chan e = d[0]; {alias}{self.sequence(2, 1)} }}")
            runs = "; ".join(f"run R({k})" for k in range(r.choice((1, 2))))
            body.append(
                f"init {{ byte x; {'atomic { ' + runs + ' }' if r.random() < 0.5 else runs}; {self.after_runs()} }}"
            )
        if self.makes:
            self.labels, self.made, self.makes = [], 0, False
            alias = self.private if self.rich else ""
            body.append(f"proctype S(byte x; chan e) {{ {alias}{self.sequence(r.randint(1, 2), 1)} }}")
        if r.random() < 0.2:
            body.append(self.trace())
        if r.random() < 0.25 and not self.waits_in_atomic:  # SPIN takes its later timeouts to be true then
            body.append(self.claim())
        return "\n".join([*head, *body]) + "\n"

    def rich_head(self) -> list[str]:
        """Channels in fields, values that wrap around, inlines, and what follows processes by their numbers."""
        r = self.random
        head = [f"typedef V {{ chan q = [{r.choice((0, 1))}] of {{ byte }}; byte z }};", "V v[2];"]
        head += ["unsigned un : 2 = 3;", "short sh = -2;", "mtype:fruit = { apple, pear };", "mtype:fruit fr;"]
        head += [f"inline both(p, q) {{ p = (q + 1) % {ROOM}; {r.choice(('skip', 'p != q', 'q = 0', 'h = p'))} }}"]
        head += ["inline guarded(p) { atomic { p > 0 -> p-- } }"]
        return head

    @property
    def private(self) -> str:
        return f"chan own = [{self.random.choice((0, 1))}] of {{ byte }}; "

    def rare(self) -> str:
        """A statement that is rare in models."""
        r = self.random
        plain = ["un++", "un = un - g", "sh = sh - 1; sh = sh % 3", "fr = pear", "fr == apple", "fr = apple"]
        plain += ["both(g, x)", "both(x, h)", "guarded(h)", "guarded(g)", f"x = (x + v[{r.randrange(2)}].z) % {ROOM}"]
        if self.in_d_step:
            return r.choice(plain[:2])
        plain += [f"v[{r.randrange(2)}].q!{r.randrange(3)}", f"v[g % 2].q?{r.choice(('x', 'g', '_', '1'))}"]
        plain += [f"own!{r.randrange(3)}", f"own?{r.choice(('x', '_', '1'))}", "r!own,1"]
        plain += [f"_nr_pr {r.choice('<>')} {r.randint(1, 4)}", f"({self.condition()}) && nempty(d[0])"]
        plain += ["x--; x = x & 3", "x = -x; x = x % 4", "sh = sh * 2000; sh = sh >> 13", "h = (sh / 2) & 3"]
        plain += [
            "r!!e,1",
            "r??e,1",
            "r?<e,x>",
            "r?[eval(e),1]",
            "len(e) > 0",
            "nfull(e)",
            "c0!!x % 3",
            "select (h : 1 .. 2)",
        ]
        plain += ["full(d[1])", "assert(true)", 'printf("%d", g)', "h = sh & 1"]
        return r.choice(plain)

    def after_runs(self) -> str:
        if self.rich and self.random.random() < 0.5:
            return f"x = run R(2); g = x % {ROOM}; _nr_pr < {self.random.randint(2, 4)} -> h = 1"
        return f"g = _nr_pr % {ROOM}"

    def claim(self) -> str:
        """A claim that can always go on, so that it ends in no state where the processes do."""
        first, second = self.observed(), self.observed()
        return f"never {{ do :: {first} :: {second} -> goto accept :: true od; accept: do :: {second} :: true od }}"

    def observed(self) -> str:
        r = self.random
        return r.choice((f"g == {r.randrange(ROOM)}", f"h != {r.randrange(ROOM)}", "_last == 0", "len(d[0]) > 0"))

    def trace(self) -> str:
        events = " ".join(f":: d[1]{op}{what},_" for op in "!?" for what in ("red", "green"))
        return f"trace {{ end: do {events} od }}"

    def sequence(self, length: int, depth: int) -> str:
        return "; ".join(self.statement(depth) for _ in range(length))

    def statement(self, depth: int) -> str:
        r = self.random
        simple = r.random() < (0.45 if depth else 1)
        if simple:
            return self.basic()
        kinds = [self.choice, self.choice, self.loop, self.atomic, self.atomic]
        if not self.in_d_step:
            kinds += [self.d_step, self.unless, self.labelled, self.counted, self.select]
        return r.choice(kinds)(depth - 1)

    def basic(self) -> str:
        r = self.random
        variable = r.choice(("g", "h", "x"))
        kinds = [f"{variable} = ({self.value()}) % {ROOM}", f"{variable} = {r.randrange(ROOM)}", self.condition()]
        kinds.append(
            r.choice((f"a[g % 3] = {variable}", "t.f[h % 2] = 1 - t.f[0] % 2", "t.b++", "m = green", "m = red"))
        )
        if self.in_d_step:
            return r.choice([*kinds[:2], "skip"])
        kinds += [self.message(), self.message(), self.coloured(), "skip"]
        if r.random() < 0.2:
            kinds += [self.handed_on(), self.structured()]
        if self.rich and r.random() < 0.4:
            kinds += [self.rare(), self.rare()]
        if self.makes and r.random() < 0.15:
            kinds += [f"run S({self.value()}, {r.choice(('e', 'd[0]', 'd[1]'))})"]
        return r.choice(kinds)

    def handed_on(self) -> str:
        """Channels in messages and variables."""
        sends = ("r!e,1", "r!d[1],x", f"r!d[0],{self.random.randrange(3)}")
        takes = ("r?e,x", "r?e,_", "r?eval(e),x", "e = d[g % 2]", "r?e,eval(h)")
        return self.random.choice((*sends, *takes))

    def structured(self) -> str:
        kinds = ("k!s", "k?s", "s.u = x", "s.w = 1 - s.w", "s.u == 1", "k!s", "k?s")
        return self.random.choice(kinds)

    def message(self) -> str:
        r, channel = self.random, f"c{self.random.randrange(2)}"
        sends = [f"{channel}!{self.value()}", f"{channel}!{r.randrange(3)}"]
        takes = [f"{channel}?{r.choice(('g', 'x'))}", f"{channel}?{r.randrange(3)}", f"{channel}?eval(h)"]
        if self.capacities[int(channel[1])] > 0:
            takes += [f"{channel}??{r.randrange(3)}", f"{channel}?<x>", f"{channel}!!{r.randrange(3)}"]
            takes += [f"len({channel}) > 0", f"{channel}?[{r.randrange(3)}]", f"nfull({channel})"]
        return r.choice(sends) if r.random() < 0.5 else r.choice(takes)

    def coloured(self) -> str:
        """A message of two fields, through an element of an array or a variable that names it."""
        r, channel = self.random, self.random.choice(("d[0]", "d[1]", "e"))
        colour = r.choice(("red", "green"))
        sends = (f"{channel}!{colour},{r.randrange(3)}", f"{channel}!!m,1", f"{channel}!{colour}(a[1] % 3)")
        takes = (f"{channel}?m,x", f"{channel}?{colour},_", f"{channel}??{colour}(x)", f"{channel}?eval(m),g")
        asks = (f"{channel}?[{colour},_]", f"len({channel}) < 2", f"{channel}?<m,x>")
        return r.choice(sends) if r.random() < 0.5 else r.choice((*takes, *asks))

    def value(self) -> str:
        r = self.random
        simple = ("g + 1", "h + 1", "x + 1", "g + h", "_pid", "x * 2", "g", "x", "3 - h % 4")
        return r.choice((*simple, "a[g % 3]", "t.f[0] + t.b", "(g > h -> g : 1)", "len(d[1])"))

    def condition(self) -> str:
        r = self.random
        variable = r.choice(("g", "h", "x"))
        if r.random() < 0.08 and not self.in_d_step:
            self.waits_in_atomic |= self.in_atomic
            return "timeout"
        return f"{variable} {r.choice(('==', '!=', '<', '>'))} {r.randrange(ROOM)}"

    def option(self, depth: int) -> str:
        first = self.condition() if self.random.random() < 0.6 else self.basic()
        if not self.in_d_step and self.random.random() < 0.08:
            first = self.d_step(0).removeprefix("skip; ")
        rest = self.sequence(self.random.randint(0, 2), depth)
        return f"{first}; {rest}" if rest else first

    def options(self, depth: int) -> list[str]:
        r = self.random
        found = [self.option(depth) for _ in range(r.randint(1, 3))]
        io = any(mark in each.split(";")[0] for each in found for mark in "!?" if "!=" not in each.split(";")[0])
        if not self.in_d_step and not io and r.random() < 0.15:
            found.append(r.choice(("len(d[0]) > 1", "nfull(d[1])", "d[0]?[red,_]")))
        if self.in_d_step or (r.random() < 0.35 and not io):
            found.append(f"else {r.choice(('->', '->', ''))} {self.basic()}")
        return found

    def choice(self, depth: int) -> str:
        return f"if {' '.join(f':: {each}' for each in self.options(depth))} fi"

    def loop(self, depth: int) -> str:
        r = self.random
        if self.in_d_step:
            return "do :: x < 3 -> x++ :: else -> break od"
        if self.in_atomic:
            return f"do :: x < 2 -> x++; {self.basic()} :: x >= 2 -> break od"
        leave = r.choice(("break", "x > 1 -> break", f"{self.condition()} -> break"))
        return f"do {' '.join(f':: {each}' for each in [*self.options(depth), leave])} od"

    def counted(self, depth: int) -> str:
        if self.random.random() < 0.3:
            return f"for (x in a) {{ {self.basic()} }}"
        return f"for (x : 0 .. {self.random.randint(0, 2)}) {{ {self.basic()} }}"

    def select(self, depth: int) -> str:
        return f"select (x : 0 .. {self.random.randint(1, 2)})"

    def atomic(self, depth: int) -> str:
        before, self.in_atomic = self.in_atomic, True
        body = self.sequence(self.random.randint(1, 3), depth)
        self.in_atomic = before
        return f"atomic {{ {body} }}"

    def d_step(self, depth: int) -> str:
        before, self.in_d_step = self.in_d_step, True
        first = self.random.choice((self.condition(), "skip", self.taken(), self.taken_by_choice()))
        body = self.sequence(self.random.randint(1, 2), depth)
        self.in_d_step = before
        return f"skip; d_step {{ {first}; {body} }}"

    def taken(self) -> str:
        """A message that a d_step begins with, sent only where there is room."""
        r, k = self.random, self.random.randrange(2)
        takes = [f"c{k}?{r.choice(('g', 'x', '1', 'eval(h)'))}", f"d[{k}]?m,x", f"d[{k}]??red,_", "k?s", "e?m,g"]
        if self.capacities[k] > 0:
            takes.append(f"c{k}!{self.value()}")
        return r.choice(takes)

    def taken_by_choice(self) -> str:
        options = [f":: {self.taken()} -> {self.basic()}" for _ in range(self.random.randint(1, 3))]
        return f"if {' '.join(options)} fi"

    def unless(self, depth: int) -> str:
        escape = self.random.choice((self.condition(), self.condition(), self.message()))
        after = self.basic()
        if self.rich and self.random.random() < 0.1:
            escape = f"d_step {{ {self.taken()}; h = 0 }}"
        if self.rich and self.random.random() < 0.3:
            return f"{{ {self.sequence(2, depth)} }} unless {{ atomic {{ {escape}; {after} }}; {self.basic()} }}"
        if self.rich and self.random.random() < 0.2:
            inner = f"{{ {self.sequence(1, depth)} }} unless {{ {self.condition()} }}"
            return f"{{ {inner}; {self.basic()} }} unless {{ {escape}; {after} }}"
        return f"{{ {self.sequence(2, depth)} }} unless {{ {escape}; {after} }}"

    def labelled(self, depth: int) -> str:
        """A jump forward, so that nothing goes round without a step."""
        self.made += 1
        label = f"l{self.made}"
        if self.rich and self.random.random() < 0.4:  # out of an atomic sequence, or into one
            inside = f"atomic {{ {self.basic()}; if :: {self.condition()} -> goto {label} :: {self.basic()} fi }}"
            last = f"atomic {{ {self.basic()}; {label}: {self.basic()} }}"
            return f"{inside}; {self.basic()}; {last if self.random.random() < 0.5 else f'{label}: {self.basic()}'}"
        return f"if :: {self.condition()} -> goto {label} :: {self.basic()} fi; {self.basic()}; {label}: {self.basic()}"


def plain_model(seed: int) -> str:
    """A model of what processes in Python can say: no rendezvous, escapes or timeouts, and more jumps."""
    return _PlainWriter(Random(seed)).model()


def meeting_model(seed: int) -> str:
    """Such a model with rendezvous and timeouts."""
    return _MeetingWriter(Random(seed)).model()


class _PlainWriter(_Writer):
    def channels(self) -> list[str]:
        return [f"chan c = [{self.random.choice((1, 2))}] of {{ byte }};", "chan d[2] = [1] of { mtype, byte };"]

    def model(self) -> str:
        r = self.random
        head = ["byte g, h;", "short sh = -2;", "mtype = { red, green };", "mtype m;", "byte a[3] = { 1, 2 };"]
        head += self.channels()
        body = []
        for name in "PQ"[: r.choice((1, 2, 2))]:
            self.made = 0
            statements = self.sequence(r.randint(2, 4), 2)
            body.append(f"active [{r.choice((1, 1, 2))}] proctype {name}() {{ byte x; {self.around(statements)} }}")
        if r.random() < 0.5:
            self.made = 0
            body.append(f"proctype R(byte y) {{ byte x = 1; {self.around(self.sequence(2, 1))} }}")
            runs = "; ".join(f"run R({k})" for k in range(r.choice((1, 2))))
            body.append(f"init {{ byte x; {r.choice((f'atomic {{ {runs} }}', runs))}; {self.after_runs()} }}")
        return "\n".join([*head, *body]) + "\n"

    def around(self, statements: str) -> str:
        """The whole of a process, from which it may begin anew."""
        r = self.random
        again = r.choice(("", "", "again: ", "end: ", "again: "))
        jump = f"; if :: {self.condition()} -> goto again :: {self.condition()} -> skip fi" if "again" in again else ""
        return f"{again}{statements}{jump}"

    def after_runs(self) -> str:
        return self.random.choice((f"x = run R(2); g = x % {ROOM}", f"g = _nr_pr % {ROOM}", "_nr_pr < 3 -> run R(1)"))

    def basic(self) -> str:
        r = self.random
        variable = r.choice(("g", "h", "x"))
        kinds = [f"{variable} = ({self.value()}) % {ROOM}", f"{variable} = {r.randrange(ROOM)}", self.condition()]
        if self.in_d_step:
            return r.choice([*kinds[:2], "skip"])
        kinds += [f"a[g % 3] = {variable}", "m = green", "sh = (sh - 1) / 2", "sh = (sh - g) % 3", "skip"]
        kinds += [f"c!{self.value()}", f"c?{r.choice(('g', 'x', '1', '_', 'eval(h)'))}", "c?<x>", "nfull(c)", "c?[1]"]
        kinds += [f"d[{r.randrange(2)}]!{r.choice(('red', 'm'))},{variable}", f"d[g % 2]?{r.choice(('m', 'red'))},x"]
        return r.choice(kinds)

    def value(self) -> str:
        simple = ("g + 1", "h + 1", "x + 1", "g + h", "_pid", "x * 2", "g", "3 - h % 4", "(g > h -> g : 1)", "len(c)")
        return self.random.choice((*simple, "a[g % 3]", "(sh < 0) + 1", "g << 1"))

    def condition(self) -> str:
        r = self.random
        return f"{r.choice(('g', 'h', 'x'))} {r.choice(('==', '!=', '<', '>'))} {r.randrange(ROOM)}"

    def options(self, depth: int) -> list[str]:
        r = self.random
        found = [self.option(depth) for _ in range(r.randint(1, 3))]
        first = [each.split(";")[0] for each in found]
        io = any(mark in each for each in first for mark in "!?" if "!=" not in each)
        return [*found, f"else -> {self.basic()}"] if self.in_d_step or (r.random() < 0.35 and not io) else found

    def taken(self) -> str:
        return self.random.choice(("c?x", "c?1", "d[0]?m,x", "d[1]?red,_"))

    def unless(self, depth: int) -> str:
        """In its place, a loop that is left by a jump."""
        self.made += 1
        label = f"out{self.made}"
        leave = f"{self.condition()} -> goto {label}"
        return f"do {' '.join(f':: {each}' for each in [*self.options(depth), leave])} od; {label}: {self.basic()}"


class _MeetingWriter(_PlainWriter):
    def taken(self) -> str:
        return self.condition()

    def channels(self) -> list[str]:
        return ["chan c = [0] of { byte };", f"chan d[2] = [{self.random.choice((0, 0, 1))}] of {{ mtype, byte }};"]

    def basic(self) -> str:
        r, found = self.random, super().basic()
        if self.in_d_step or r.random() < 0.5:
            return "skip" if "c?<" in found or "c?[" in found else found
        if r.random() < 0.1:
            return r.choice(("timeout", f"timeout && {self.condition()}"))
        send, receive = f"c!{self.value()}", f"c?{r.choice(('g', 'x', '1', '_', 'eval(h)'))}"
        both = f"d[{r.choice(('0', '1', 'g % 2', 'x'))}]"
        return r.choice((send, receive, send, receive, f"{both}!m,h", f"{both}?m,x", f"{both}?red,_", f"{both}!red,g"))
