"""Local collections mean the same in CPython, in the reference interpreter and in native code."""

from __future__ import annotations

from agreement import Agreement
from collection_models import Collections

import asset


def test_everything_that_can_be_done_with_local_collections_means_the_same() -> None:
    assert Agreement(Collections()).explore(12) > 500


def test_a_model_with_local_collections_is_explored_alike_by_both_engines() -> None:
    class Sorting(asset.Model):
        n: int = 3

        def state(self):
            self.row = asset.Array(self.n, asset.Int(0, 2))
            self.sorted = asset.Array(self.n, asset.Int(0, 2))

        @asset.transition(i="n")
        def change(self, i):
            self.row[i] = (self.row[i] + 1) % 3
            self.sorted = sorted(self.row)

        @asset.invariant
        def in_order(self):
            return all(a <= b for a, b in zip(self.sorted, list(self.sorted)[1:], strict=False))

    verdicts = [asset.check(Sorting(), engine=engine) for engine in ("native", "reference")]
    assert all(verdict.holds for verdict in verdicts)
    assert {verdict.space.states for verdict in verdicts} == {27}
