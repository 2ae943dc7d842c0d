"""The lines in which model files state what is to come out."""

from pathlib import Path

import pytest
from expectations import Expectation, MalformedExpectation, expectations_in, parse
from places import MODELS

FILE = Path("ring.py")


def test_a_line_with_parameters_and_counts_is_read_in_full():
    assert parse(FILE, 7, " n=3: holds, 468 states, 1350 edges, 3 terminal") == Expectation(
        FILE, 7, None, {"n": "3"}, "holds", None, states=468, edges=1350, terminal=3, subject="n=3"
    )


def test_a_class_name_comes_before_the_parameters():
    found = parse(FILE, 1, "Swapped n=2 k=1: violated mutual_exclusion, 24 steps")
    assert (found.class_name, found.params, found.violated, found.steps) == (
        "Swapped",
        {"n": "2", "k": "1"},
        "mutual_exclusion",
        24,
    )
    assert (found.model(), str(found)) == ("ring.py:Swapped", "ring:Swapped n=2 k=1")


def test_a_line_may_name_no_class_and_no_parameter():
    found = parse(FILE, 1, "violated not_solved")
    assert (found.class_name, found.params, found.states, found.model()) == (None, {}, None, "ring.py")


def test_options_of_the_check_stand_among_the_parameters():
    found = parse(FILE, 1, "n=2 stubborn=hand only=safety,may audit=3 dl_not_may=on: violated may-progress")
    assert found.params == {"n": "2"}
    only = frozenset({"safety", "may"})
    assert found.options == {"stubborn": "hand", "only": only, "audit": 3, "dl_not_may": True}
    assert (found.violated, found.model()) == ("may-progress", "ring.py")
    assert str(found) == "ring n=2 stubborn=hand only=safety,may audit=3 dl_not_may=on"


@pytest.mark.parametrize("text", ["", "n=3:", "n=3: passes", "holds, 3 apples", "holds 468 states"])
def test_a_malformed_line_is_an_error_that_says_where(text):
    with pytest.raises(MalformedExpectation, match=r"ring\.py:5"):
        parse(FILE, 5, text)


def test_every_model_file_states_what_it_expects():
    silent = {file.name for file in MODELS.glob("*.py")} - {e.file.name for e in expectations_in(MODELS)}
    assert not silent
