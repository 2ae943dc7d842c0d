"""ASSET's own .model files: C++ that a compiler on the user's machine compiles."""

from asset.frontends.cpp.loading import Loaded, load

__all__ = ["Loaded", "load"]
