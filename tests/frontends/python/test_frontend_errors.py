"""What is wrong with a model is said all at once, each with its place and a way out."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import assert_golden
from places import GOLDEN

from asset.errors import AssetError
from asset.frontends.python import compile_model, load

ERRORS_GOLDEN = GOLDEN / "errors"


def message(path: Path) -> str:
    with pytest.raises(AssetError) as error:
        compile_model(load(path))
    return str(error.value).replace(f"{path.parent}/", "") + "\n"


@pytest.mark.parametrize("name", sorted(path.stem for path in ERRORS_GOLDEN.glob("*.py")))
def test_errors_are_reported_as_expected(name: str) -> None:
    assert_golden(f"errors/{name}.txt", message(ERRORS_GOLDEN / f"{name}.py"))
