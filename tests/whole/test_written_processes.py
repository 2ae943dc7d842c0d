"""Processes written as people write them, each compared step by step with its generator in CPython."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_process_agreement import Walk

from asset.frontends.python import load

MODEL = """\
from enum import Enum
from asset import *

ROWS = ((1, 2), (3, 0))
NAMES = ["a", "b"]


class Hue(Enum):
    RED = 1
    BLUE = 2


class M(Model):
    n: int = 2

    def state(self):
        self.x = Int(0, 6)
        self.a = Array(3, Int(0, 6))
        self.flag = False
        self.q = Queue(2, Int(0, 6))
        self.s = Set(4)

    def inc(self, k):
        yield
        self.x = (self.x + k) % 5
        yield
        return self.x

    def early(self, k):
        for j in range(3):
            if self.a[j] == k:
                return j
            yield
        return 2

    def twice(self):
        v = yield from self.inc(1)
        w = yield from self.inc(2)
        return v + w

    @process(i="n")
    def p(self, i):
BODY
"""

BODIES = """\
for v in self.a:
    self.x = v
    yield
    self.a[i] = (self.a[i] + 1) % 4
---
for v in ROWS[0]:
    yield
    self.x = v
---
for k in range(2):
    for j in range(2):
        if j == 1:
            break
        yield
        self.a[j] = k
    else:
        self.flag = True
    yield
---
for k in range(3):
    if k == 1:
        continue
    yield
    self.x = k
self.flag = True
---
while (k := self.x) < 3:
    yield
    self.x = k + 1
---
k = yield from self.twice()
self.a[0] = k % 5
---
self.x = 1
k = yield from self.early(i)
self.a[k] = 3
yield
---
match self.x:
    case 0:
        yield
        self.x = 2
    case 2 | 3:
        self.x = 0
    case v:
        yield
        self.x = v - 1
---
t = ROWS[i]
yield
self.x = t[0]
yield
self.x = t[1]
---
h = Hue.RED
yield
h = Hue.BLUE if self.flag else h
yield
self.flag = h == Hue.RED
---
word = "a"
yield
word = "b" if word == "a" else "a"
yield
self.flag = word == "b"
---
self.q.put(i)
yield
when(len(self.q) > 0)
k = self.q.get()
yield
self.x = k + 1
---
a, b = 1, 2
yield
a, b = b, a
yield
self.x = a * 2 + b % 2
---
k = 3
for k in range(2):
    yield
self.x = k
---
for k in range(0):
    yield
else:
    self.x = 4
yield
---
k = self.x
yield
k = k if self.x == k else 0
yield
self.x = k + 1
---
if self.flag:
    yield
elif self.x:
    yield "lab"
    self.x = 0
else:
    self.x = 1
yield
self.flag = not self.flag
---
while True:
    when(not self.flag)
    self.flag = True
    yield
    self.x = (self.x + 1) % 3
    if self.x == 2:
        break
    self.flag = False
    yield
self.flag = False
---
k = self.x if self.flag else i
yield
self.a[k] = 2
---
k: Int(0, 6) = 0
for _ in range(2):
    k = (k + self.x + 1) % 6
    yield
self.x = k
---
def f(v):
    return v + i
yield
self.x = f(1)
---
xs = [self.a[j] for j in range(3)]
self.x = xs[i]
yield
xs = [1, 2]
self.x = xs[i]
---
assert self.x < 6
yield
self.x += 1
yield
assert self.x != 2
---
d = {0: 2, 1: 3}
yield
self.x = d[i]
---
when(i == 0 or self.flag)
yield
self.flag = True
yield
self.x = self.x + 1 if i else self.x
---
ok = self.x == 0
yield
if not ok or self.flag:
    self.x = 5
self.flag = ok
"""


@pytest.mark.parametrize("body", BODIES.rstrip("\n").split("\n---\n"), ids=lambda body: body.partition("\n")[0])
def test_a_process_makes_the_steps_of_its_generator(body: str, tmp_path: Path) -> None:
    file = tmp_path / "written.py"
    code = body if "yield" in body else f"{body}\nyield"
    file.write_text(MODEL.replace("BODY", "".join(f"        {line}\n" for line in code.splitlines())))
    for seed in range(5):
        walk = Walk(load(str(file), {}), seed)
        made = sum(walk.step() for _ in range(20))
        assert made > 0
