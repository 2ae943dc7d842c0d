"""Checks: what is asked of a model, and how the answer is established."""

from asset.checks.options import CheckOptions
from asset.checks.run import check

__all__ = ["CheckOptions", "check"]
