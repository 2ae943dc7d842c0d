"""What temporal operators are called in models in Python."""

from __future__ import annotations

from asset.logic import formulas as f

PYTHON_WORDS: dict[type[f.Formula], str] = {
    f.Always: "always",
    f.Eventually: "eventually",
    f.Next: "next_state",
    f.Until: "until",
    f.WeakUntil: "weak_until",
    f.Release: "release",
    f.Implies: "implies",
}
