"""Sets and queues: the dispatcher of a paper of SPIN 2005 on abstract data types has as many states as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.errors import ModelRejected
from asset.languages import ModelSpec, load
from asset.verdict import Verdict

PRAGMA = "#pragma asset collections\n"


def dispatcher(kind: str, artists: int) -> str:
    """Artists that register for an event and unregister, in any order."""
    names = [f"a{k}" for k in range(1, artists + 1)]
    enter, leave = ("push", "pop()") if kind == "queue" else ("insert", "erase({})")
    options = " ".join(f":: who.{enter}({name}) :: who.{leave.format(name)}" for name in names)
    head = f"{PRAGMA}enum artist = {{ {', '.join(names)} }};\n{kind} who = [{artists}] of {{ artist }};\n"
    return f"{head}active proctype Dispatcher() {{ end: do {options} od }}\n"


def checked(folder: Path, text: str) -> Verdict:
    file = folder / "m.pml"
    file.write_text(text)
    return asset.check(load(ModelSpec(str(file))), stubborn="off", symmetry="off")


@pytest.mark.parametrize(("artists", "states"), [(2, 5), (3, 16), (4, 65), (5, 326)])
def test_a_queue_remembers_the_order(artists: int, states: int, tmp_path: Path) -> None:
    assert checked(tmp_path, dispatcher("queue", artists)).states == states


@pytest.mark.parametrize("artists", [2, 3, 5])
def test_a_set_forgets_the_order(artists: int, tmp_path: Path) -> None:
    assert checked(tmp_path, dispatcher("set", artists)).states == 2**artists


def test_what_is_in_a_collection_can_be_asked_and_taken(tmp_path: Path) -> None:
    text = """enum t = { a, b };
queue q = [2] of { t };
set s = [2] of { t };
active proctype P() {
  t x;
  q.push(b); q.push(a); q.push(b);
  assert(q.find(a) == a && len(q) == 2);
  x = q.front(); assert(x == b);
  x = q.pop(); assert(x == b);
  assert(q.find(b) == 0);
  s.insert(x); s.insert(x); assert(s.find(b) == b); s.erase(b); assert(s.find(b) == 0);
  q.pop(); assert(empty(q))
}
"""
    assert checked(tmp_path, PRAGMA + text).holds


MISTAKES = [
    ("set s = [1] of { t };\nactive proctype P() { skip }", "t has 2 constants, and there is room for 1"),
    ("set s = [2] of { u };\nactive proctype P() { skip }", "there is no enumeration u"),
    ("set s = [2] of { t };\nactive proctype P() { s.push(a) }", "a set has no push"),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES)
def test_a_mistake_is_an_error(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match=said):
        checked(tmp_path, f"{PRAGMA}enum t = {{ a, b }};\n{text}\n")


def test_without_the_pragma_the_words_are_names(tmp_path: Path) -> None:
    assert checked(tmp_path, "byte set, queue;\nactive proctype P() { set = 1; queue = set }\n").holds
