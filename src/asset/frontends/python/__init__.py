"""Models as Python classes."""

from asset.frontends.python.compiler import compile_model
from asset.frontends.python.loading import load
from asset.frontends.python.plain import PlainPython

__all__ = ["PlainPython", "compile_model", "load"]
