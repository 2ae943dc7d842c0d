"""What every test has: a cache of machine code of its own, not the user's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSET_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
