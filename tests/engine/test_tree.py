"""States as trees: the readable version against rows as they are, and what native trees say of themselves."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from places import MODELS

from asset.checks import CheckOptions, check
from asset.cli.main import main
from asset.engine.tree import Tree
from asset.errors import UsageError
from asset.languages import ModelSpec, load
from asset.verdict import Answer


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 8, 13])
def test_roots_are_equal_if_and_only_if_states_are(width: int) -> None:
    chance, tree, roots = random.Random(width), Tree(width), dict[tuple[int, ...], tuple[int, ...]]()
    for _ in range(300):
        state = tuple(chance.randrange(3) for _ in range(width))
        root = tuple(tree.fold(state)[-1])
        assert tree.unfold(root) == state
        assert roots.setdefault(state, root) == root
    assert len(set(roots.values())) == len(roots)


@pytest.mark.parametrize("width", [1, 2, 3, 7, 12])
def test_what_has_not_changed_need_not_be_looked_up(width: int) -> None:
    chance, tree = random.Random(width), Tree(width)
    source = [chance.randrange(5) for _ in range(width)]
    known = tree.fold(source)
    for _ in range(100):
        state = [chance.randrange(5) if chance.random() < 0.3 else each for each in source]
        assert tree.fold_after(state, source, known) == tree.fold(state)


def test_equal_parts_are_kept_once() -> None:
    tree = Tree(8)
    tree.fold((1, 2) * 4)
    assert len(tree.nodes) == 4  # 1, 2, their pair, and two of these; the root is not counted


LOGS = ["check", str(MODELS / "log_replication.py:LogReplication"), "-p", "servers=4", "-p", "length=4"]


def test_wide_states_become_trees_if_memory_ends(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*LOGS, "--stubborn", "off", "--symmetry", "off", "--max-memory", "9M", "--only", "safety,deadlock"]
    assert main([*words, "--store", "exact", "--json", "-"]) == 3
    tables = json.loads(capsys.readouterr().out)
    assert main([*words, "--json", "-"]) == 0
    trees = json.loads(capsys.readouterr().out)
    assert tables["memory"]["nodes"] is None
    assert trees["memory"]["nodes"] > 0
    assert trees["states"] > tables["states"]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("store", ["exact", "tree"])
def test_progress_and_violations_of_wide_states(store: str, threads: int) -> None:
    options = CheckOptions(store=store, threads=threads, stubborn="off", symmetry="off")
    holds = check(load(ModelSpec(str(MODELS / "log_replication.py:LogReplication"))), options)
    assert holds.answer is Answer.HOLDS
    hasty = check(load(ModelSpec(str(MODELS / "log_replication.py:Hasty"))), options)
    assert hasty.answer is Answer.VIOLATED
    assert hasty.counterexample is not None
    assert len(hasty.counterexample) == 3


SCRAMBLED = """
from asset import Array, Int, Model, transition, when

class Scrambled(Model):
    '''All of it is new in each state.'''

    def state(self):
        self.step = Int(0, 3000)
        self.x = Array(26, Int(0, 2**31 - 1))

    @transition
    def scramble(self):
        when(self.step < 3000)
        self.step += 1
        for i in range(26):
            self.x[i] = (self.x[i] * 1103515245 + 12345 + i) % 2**31
"""


MANY = """
from asset import Array, Int, Model, transition, when

class Many(Model):
    '''So many values that numbers of them have no room in a key, but a state has most of those of the one before.'''

    def state(self):
        self.x = Array(60, Int(0, 2**60 - 1))

    @transition(i=20)
    def count(self, i):
        for k in range(3):
            self.x[3 * i + k] = (self.x[3 * i + k] + 2**55 + 1) % 2**60
"""


def parts(spec: ModelSpec, store: str | None = None) -> int | None:
    return check(load(spec), CheckOptions(max_states=20_000, store=store)).memory.nodes


def test_very_wide_states_without_room_in_keys_are_trees_if_they_have_parts_in_common(tmp_path: Path) -> None:
    for name, text in (("many.py", MANY), ("scrambled.py", SCRAMBLED)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    many, scrambled = (ModelSpec(str(tmp_path / name), {}) for name in ("many.py", "scrambled.py"))
    logs = ModelSpec(str(MODELS / "log_replication.py:LogReplication"), {"servers": "5", "length": "6"})
    assert parts(many)
    assert parts(many, "exact") is None
    assert parts(scrambled) is None
    assert parts(logs) is None


def test_a_cluster_has_no_trees() -> None:
    with pytest.raises(UsageError, match="a cluster does without store=tree"):
        CheckOptions(store="tree", cluster="local")
