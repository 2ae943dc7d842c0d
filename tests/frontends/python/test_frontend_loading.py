"""Loading models from files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from asset.errors import ModelRejected, UsageError
from asset.frontends.python import load

HEAD = "from enum import IntEnum\nfrom asset import Array, Int, Model, transition\n"
LAMP = """
class Colour(IntEnum):
    RED = 1
    BLUE = 2

class Lamp(Model):
    n: int = 2
    on: bool = False
    colour: Colour = Colour.RED
    sizes: tuple[int, ...] = (1,)
    name: str = "lamp"

    def state(self):
        self.lit = Array(self.n, False)

    @transition(i="n")
    def switch(self, i):
        self.lit[i] = not self.lit[i]
"""


def write(directory: Path, text: str, name: str = "lamp.py") -> Path:
    path = directory / name
    path.write_text(HEAD + text)
    return path


def test_a_file_with_one_model_needs_no_class_name(tmp_path: Path) -> None:
    assert type(load(write(tmp_path, LAMP))).__name__ == "Lamp"


def test_parameters_are_read_from_text_by_their_type(tmp_path: Path) -> None:
    given = {"n": "3", "on": "yes", "colour": "BLUE", "sizes": "4, 5", "name": "x"}
    parameters = load(write(tmp_path, LAMP), given).parameters
    assert dict(parameters) == {"n": 3, "on": True, "colour": 2, "sizes": (4, 5), "name": "x"}


def test_everything_wrong_with_the_parameters_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        load(write(tmp_path, LAMP), {"n": "two", "on": "maybe", "colour": "GREEN", "size": "3"})
    text = str(error.value)
    assert "n takes an integer, not 'two'" in text
    assert "on takes True or False, not 'maybe'" in text
    assert "colour takes one of RED, BLUE, not 'GREEN'" in text
    assert "no parameter 'size'" in text and "did you mean 'sizes'?" in text


def test_several_models_in_a_file_are_listed_and_one_can_be_chosen(tmp_path: Path) -> None:
    path = write(tmp_path, LAMP + "\nclass Torch(Lamp):\n    n = 1\n")
    with pytest.raises(UsageError, match=r"lamp\.py:Torch"):
        load(path)
    assert type(load(f"{path}:Torch")).__name__ == "Torch"
    with pytest.raises(UsageError, match=r"no model Candle"):
        load(f"{path}:Candle")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no file .*absent\.py"):
        load(tmp_path / "absent.py")


def test_a_file_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="defines no model"):
        load(write(tmp_path, ""))


def test_a_syntax_error_is_reported_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match=r"lamp\.py:3:\d+: error: SyntaxError"):
        load(write(tmp_path, "class Lamp(Model\n"))


def test_an_exception_in_the_file_is_reported_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match=r"lamp\.py:3:1: error: NameError"):
        load(write(tmp_path, "undefined\n"))


def test_the_file_can_import_its_neighbours_and_leaves_the_path_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_lamp.py").write_text("N = 4\n")
    before = list(sys.path)
    model = load(write(tmp_path, "from neighbour_of_lamp import N\n" + LAMP.replace("n: int = 2", "n: int = N")))
    assert model.parameters["n"] == 4
    assert sys.path == before


def test_two_files_of_the_same_name_do_not_meet(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    first = load(write(tmp_path / "a", LAMP))
    second = load(write(tmp_path / "b", LAMP.replace("n: int = 2", "n: int = 7")))
    assert (first.parameters["n"], second.parameters["n"]) == (2, 7)
