"""Queues in derived stubborn set rules: what is put in and what is taken out commute, and nothing else that does not.

ASSET_EXAMPLES=2000 makes a long run of random processes with channels.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import stubborn_oracle as oracle

from asset.analysis.stubborn import queues
from asset.analysis.stubborn.derivation import DerivationLimits, derive
from asset.ir.program import Program
from asset.languages import ModelSpec, load

EXAMPLES = int(os.environ.get("ASSET_EXAMPLES", "12"))
STATES, DEPTH = 500, 3
LIMITS = {"generous": DerivationLimits(), "few paths": DerivationLimits(paths=20)}

RING = """
mtype = { one, two };
chan q[3] = [4] of { mtype, byte };
proctype node(chan inp, out; byte number) {
  byte x;
  out!one(number);
end: do
  :: inp?one(x) -> if :: x > number -> out!one(x) :: else -> skip fi
  :: inp?two(x) -> out!two(x)
  od
}
init { atomic { run node(q[0], q[1], 1); run node(q[1], q[2], 2); run node(q[2], q[0], 3) } }
"""


def program(folder: Path, text: str) -> Program:
    file = folder / "model.pml"
    file.write_text(text)
    return load(ModelSpec(str(file))).executable().program


def test_of_a_ring_of_processes_with_channels_one_order_is_explored(tmp_path: Path) -> None:
    made = program(tmp_path, RING)
    behaviour = oracle.Behaviour(made, [])
    part = oracle.reduced(behaviour, derive(made, []).rules)
    assert all(len(after) <= 1 for after in part.edges.values())
    assert oracle.compare(oracle.full(behaviour, 10_000), part) is None


def test_only_what_puts_and_what_takes_commutes(tmp_path: Path) -> None:
    text = """chan q = [2] of { byte }; chan w = [2] of { int }; byte x, y;
active proctype Putter() { q!1; w!x + 7 }
active proctype Taker() { q?x }
active proctype Looker() { q?<y> }
active proctype Counter() { x = len(q) }
active proctype Sorter() { q!!2 }
active proctype Both() { atomic { q!1; q?_ } }
active proctype Matcher() { w?7 }
"""
    made = program(tmp_path, text)
    ends: dict[str, set[tuple[bool, bool]]] = {}
    for live in derive(made, []).flow.live:
        if live.path.node < made.nr_commands:
            name = made.commands[live.path.node][0].process or ""
            ends.setdefault(name, set()).add((bool(live.path.puts), bool(live.path.takes)))
    takers = ("Taker", "Looker", "Matcher")
    for name, end in {"Putter": (True, False), **dict.fromkeys(takers, (False, True))}.items():
        assert end in ends[name]
    for name in ("Counter", "Sorter", "Both"):
        assert ends[name] == {(False, False)}


def breach(folder: Path, seed: int, limits: DerivationLimits) -> str | None:
    """What is wrong with the sets of a random model; None if nothing is, or if it is too large."""
    made = program(folder, random_channels(Random(seed)))
    behaviour = oracle.Behaviour(made, [])
    try:
        whole = oracle.full(behaviour, STATES)
    except oracle.TooLarge:
        return None
    part = oracle.reduced(behaviour, derive(made, [], limits).rules)
    return oracle.compare(whole, part) or oracle.audit(behaviour, part, DEPTH)


@pytest.mark.parametrize("name", LIMITS)
def test_sets_are_stubborn_in_random_processes_with_channels(name: str, tmp_path: Path) -> None:
    for seed in range(EXAMPLES):
        found = breach(tmp_path, seed, LIMITS[name])
        assert found is None, f"seed {seed}: {found}"


def test_last_resorts_are_enabled_where_nothing_else_is(tmp_path: Path) -> None:
    met = 0
    for seed in range(10 * EXAMPLES):
        made = program(tmp_path, random_channels(Random(seed)))
        last = [family.last_resort for family, _ in made.commands]
        with suppress(oracle.TooLarge):
            for after in oracle.full(oracle.Behaviour(made, []), STATES).edges.values():
                resorts = {last[command] for command in after}
                assert len(resorts) < 2, f"seed {seed}"
                met += True in resorts
    assert met > 0


def test_a_timeout_that_is_not_waited_for_makes_no_last_resorts(tmp_path: Path) -> None:
    text = "byte x; active proctype P() { if :: timeout :: x == 1 fi } active proctype Q() { %s }"
    for statement, last in {"x = 1": True, "timeout || x == 1": False, "x = timeout": False}.items():
        assert any(family.last_resort for family in program(tmp_path, text % statement).families) is last


@pytest.mark.parametrize("end", ["_only_puts", "_only_takes"])
def test_that_not_everything_is_an_end_is_noticed(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the test: with ends that are wrong, sets are not stubborn."""
    monkeypatch.setattr(queues, end, lambda path, queue, cells: True)
    assert any(breach(tmp_path, seed, LIMITS["generous"]) for seed in range(60))


def random_channels(r: Random) -> str:
    capacities = [r.choice((1, 2, 2, 3)) for _ in range(2)]
    lines = [f"chan c{k} = [{n}] of {{ byte, {r.choice(('bit', 'int'))} }};" for k, n in enumerate(capacities)]
    lines += ["chan d[2] = [2] of { byte, byte };", "byte g;"]
    for k in range(r.choice((2, 3))):
        body = "; ".join(_statement(r) for _ in range(r.randint(1, 3)))
        lines.append(f"active proctype P{k}() {{ byte x; bit b; int y; chan e = d[{r.randrange(2)}]; {body} }}")
    return "\n".join(lines)


def _statement(r: Random, nested: bool = False) -> str:
    channel = r.choice(("c0", "c1", "d[0]", "e"))
    simple = [f"{channel}!{r.choice(('1', '2', 'x', 'g'))},1", f"{channel}!2,b", f"{channel}?x,b", f"{channel}?1,_"]
    simple += [f"{channel}?2,b", f"len({channel}) > 0", f"nfull({channel})", f"{channel}?<x,b>", f"{channel}!!1,0"]
    simple += [f"{channel}??1,b", f"g = len({channel})", "g = x", f"{channel}?[1,_]", f"{channel}?g,_"]
    simple += ["timeout", "timeout && g < 2"] if r.random() < 0.1 else []
    if nested or r.random() < 0.6:
        return r.choice(simple)
    if r.random() < 0.04:  # what comes after depends on an item that has too many values to be followed one by one
        tests = f":: y > 1 -> g = 1 :: y == x -> {r.choice(simple)} :: else -> skip"
        return f"atomic {{ {channel}?{r.choice(('y,b', '_,y', 'x,y'))}; if {tests} fi }}"
    several = [_statement(r, True) for _ in range(2)]
    return r.choice((f"atomic {{ {'; '.join(several)} }}", f"if :: {' :: '.join(several)} fi"))
