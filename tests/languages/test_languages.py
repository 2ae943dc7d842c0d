"""The languages by file ending, and models as the command line and the Python API name them."""

from __future__ import annotations

import pytest
from places import MODELS

import asset
from asset.cli.arguments import CheckCommand, parse
from asset.errors import UsageError
from asset.languages import ENDINGS, LANGUAGES, Language, ModelSpec, file_of, language_of

RING = MODELS / "token_ring.py"


def test_no_two_languages_share_an_ending() -> None:
    assert len(ENDINGS) == len(set(ENDINGS))


@pytest.mark.parametrize(
    ("model", "name"),
    [("ring.py", "Python"), ("ring.py:TokenRing", "Python"), ("a:b/ring.py", "Python"), ("x/ring.model", "C++")],
)
def test_the_ending_of_a_file_tells_its_language(model: str, name: str) -> None:
    assert language_of(model).name == name


def test_a_model_without_its_ending_is_told_with_it() -> None:
    with pytest.raises(UsageError, match=r"did you mean .*token_ring\.py\?"):
        language_of(str(RING.with_suffix("")))


@pytest.mark.parametrize("model", ["notes.txt", "ring", "ring.py.bak", "notes.txt:Ring", ""])
def test_an_ending_that_no_language_has_is_an_error_that_lists_those_that_are_known(model: str) -> None:
    with pytest.raises(UsageError, match=r"the endings that are known: \.py, \.model"):
        language_of(model)


def test_a_file_is_what_stands_before_the_class() -> None:
    assert file_of(f"{RING}:TokenRing") == file_of(str(RING)) == RING
    with pytest.raises(UsageError, match=r"there is no file nowhere\.py"):
        file_of("nowhere.py:Class")


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_the_words_of_a_model_name_it_again(language: Language) -> None:
    foreign = {"patience": 2.5} if language.foreign else {}
    spec = ModelSpec(f"ring{language.endings[0]}", {"n": "3", "text": "a=b"}, **foreign)
    command = parse(["check", *spec.words])
    assert isinstance(command, CheckCommand)
    assert command.model == spec


def test_a_model_can_be_loaded_by_its_file() -> None:
    assert asset.check(asset.load(RING, n=2)).states == 68
    assert asset.check(asset.load(f"{RING}:TokenRing", n=3)).states == 468


@pytest.mark.parametrize("wrong", [asset.Model, "ring.py", None])
def test_what_is_no_model_is_not_checked(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"a model is an object of a subclass of asset\.Model"):
        asset.check(wrong)  # type: ignore[arg-type]
