"""What every test has: a cache of machine code that is not the user's. Processes that run tests at once share it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        base = tmp_path_factory.getbasetemp()
        patch.setenv("ASSET_CACHE_DIR", str((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"))
        yield
