"""`for (k in a)` counts the elements of the array that is named, wherever it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import asset
from asset.errors import ModelRejected
from asset.languages import ModelSpec, load

MODEL = """typedef Row {{ byte a[3]; byte one }};
Row rows[2];
Row row;
byte k, count;
active proctype P() {{ for (k in {array}) {{ count++ }}; assert(count == {times}) }}
"""


@pytest.mark.parametrize(("array", "times"), [("rows", 2), ("rows[1].a", 3), ("row.a", 3)])
def test_a_loop_goes_through_all_elements_of_the_array_that_is_named(array: str, times: int, tmp_path: Path) -> None:
    file = tmp_path / "loop.pml"
    file.write_text(MODEL.format(array=array, times=times))
    assert asset.check(load(ModelSpec(str(file))), engine="reference").holds


@pytest.mark.parametrize("array", ["row", "rows[0]", "rows[0].a[1]", "row.one", "count"])
def test_what_is_no_array_is_an_error(array: str, tmp_path: Path) -> None:
    file = tmp_path / "loop.pml"
    file.write_text(MODEL.format(array=array, times=1))
    with pytest.raises(ModelRejected, match="this is no array"):
        load(ModelSpec(str(file)))
