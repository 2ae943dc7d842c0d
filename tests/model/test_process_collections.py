"""Collections in the code of a process: what never changes is no state, and what does is rejected if it is needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import Agreement
from process_texts import program_of, variables

from asset.errors import ModelRejected
from asset.frontends.python import load


@pytest.mark.parametrize("change", ["xs.append(2)", "xs[0] = 2", "xs += [2]", "del xs[0]"])
def test_a_list_that_changes_is_not_taken_for_one_that_never_does(tmp_path: Path, change: str) -> None:
    members = f"""\
    @process
    def p(self):
        xs = [0, 1]
        {change}
        yield
        self.x = len(xs)
        yield
"""
    with pytest.raises(ModelRejected, match="'xs'"):
        program_of(tmp_path, members)


def test_a_list_that_never_changes_is_no_state(tmp_path: Path) -> None:
    members = """\
    @process
    def p(self):
        xs = [0, 1]
        yield
        self.x = xs[1] + len(xs)
        yield
"""
    assert variables(program_of(tmp_path, members)).keys() == {"x", "flag", "a", "p.at"}


ROWS = """\
from asset import Int, Model, process

ROWS = ((1, 2), (3, 0, 1))


class Rows(Model):
    def state(self):
        self.x = Int(0, 3)

    @process(i="2")
    def goes_through(self, i):
        for v in ROWS[1]:
            yield
            self.x = v
"""


def test_a_loop_with_a_yield_runs_over_a_row_of_constants(tmp_path: Path) -> None:
    file = tmp_path / "rows.py"
    file.write_text(ROWS)
    assert Agreement(load(file)).explore(40) > 60


def test_a_loop_over_rows_of_different_lengths_is_told_as_one(tmp_path: Path) -> None:
    file = tmp_path / "rows.py"
    file.write_text(ROWS.replace("ROWS[1]", "ROWS[i]"))
    with pytest.raises(ModelRejected, match=r"rows.py:12:18.*how often this loop goes round cannot be seen"):
        load(file)
