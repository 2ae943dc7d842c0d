"""Published systems, written from their mathematics as somebody would who has read the docs: counts and verdicts.

The counts are those of a search over the CPython objects themselves, which is made again here where it is quick.
"""

from __future__ import annotations

from collections import deque
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from asset import check
from asset.frontends.python import load
from asset.model import Model, cells_of, fire

FOLDER = Path(__file__).parent.parent / "support" / "specifications"
QUICK = 100


class Expected(NamedTuple):
    states: int
    edges: int
    terminal: int
    violated: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()


SPECIFICATIONS = {
    "allocator": Expected(64, 198, 0),
    "blocking_queue": Expected(22, 39, 2, ("no_deadlock",)),
    "chang_roberts": Expected(135, 219, 6),
    "counter_crdt": Expected(81, 198, 1),
    "dekker": Expected(86, 160, 0),
    "die_hard": Expected(16, 58, 0, ("not_four",)),
    "ewd840": Expected(750, 6594, 1),
    "gossip": Expected(189, 858, 1),
    "hanoi_lists": Expected(81, 240, 0, ("unsolved",)),
    "missionaries": Expected(16, 34, 0, ("unsolved",)),
    "queens": Expected(54, 53, 14, ("unsolved",)),
    "raft_log": Expected(1205, 2420, 44, (), (("size", "1"),)),
    "read_write_lock": Expected(20, 46, 0),
    "replicated_log": Expected(527, 1071, 0),
    "snapshot": Expected(1128, 2788, 0),
    "snapshot_isolation": Expected(42, 60, 10, ("someone_on_call",)),
    "sorted_list": Expected(48, 384, 0),
    "szymanski": Expected(373, 765, 0),
    "transaction_commit": Expected(288, 1145, 28),
    "two_phase_locking": Expected(15, 14, 4),
}


def _model(name: str) -> Any:
    return load(FOLDER / f"{name}.py", dict(SPECIFICATIONS[name].parameters))


@pytest.mark.parametrize("name", SPECIFICATIONS)
def test_counts_and_verdicts_are_as_expected(name: str) -> None:
    expected = SPECIFICATIONS[name]
    whole = check(_model(name), stubborn="off", symmetry="off", only=("termination",), termination=True)
    assert (whole.states, whole.edges, whole.terminal_states) == expected[:3]
    verdict = check(_model(name), stubborn="off", symmetry="off", keep_going=True)
    assert [c.name for c in verdict.checked if c.answer.value == "violated"] == [*expected.violated]
    assert all(c.answer.value in ("holds", "violated") for c in verdict.checked)


@pytest.mark.parametrize("name", [name for name, expected in SPECIFICATIONS.items() if expected.states <= QUICK])
def test_a_search_over_the_objects_of_cpython_finds_as_many_states(name: str) -> None:
    """A step that changes nothing is an edge, but a state with no other step is terminal."""
    start: Model = _model(name)
    queue, edges, terminal = deque(start.initial_states()), 0, 0
    seen = {cells_of(state) for state in queue}
    while queue:
        state = queue.popleft()
        moves = 0
        for transition in state.transitions():
            after = deepcopy(state)
            if not fire(after, transition):
                continue
            edges, moves = edges + 1, moves + (cells_of(after) != cells_of(state))
            if cells_of(after) not in seen:
                seen.add(cells_of(after))
                queue.append(after)
        terminal += not moves
    assert (len(seen), edges, terminal) == SPECIFICATIONS[name][:3]
