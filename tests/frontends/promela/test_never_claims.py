"""A never claim asks for something that is not answered yet."""

from __future__ import annotations

from pathlib import Path

import asset
from asset.verdict import Answer

CLAIM = "never { do :: skip :: !(x < 2) -> break od }"


def test_a_model_with_a_never_claim_is_undecided_unless_something_is_violated(tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text(f"byte x;\nactive proctype p() {{ x = 1 }}\n{CLAIM}\n")
    verdict = asset.check(asset.load(file))
    assert verdict.answer is Answer.UNDECIDED
    assert verdict.caveats[0].code == "unanswered"
    file.write_text(f"byte x;\nactive proctype p() {{ x = 1; assert(x == 2) }}\n{CLAIM}\n")
    assert asset.check(asset.load(file)).answer is Answer.VIOLATED
