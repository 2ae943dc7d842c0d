"""Where things are in the checkout, for tests in whatever folder."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MODELS = ROOT / "models"
GOLDEN = ROOT / "tests" / "golden"
