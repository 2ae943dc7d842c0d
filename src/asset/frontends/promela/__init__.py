"""Promela, the language of SPIN."""

from asset.frontends.promela import trails
from asset.frontends.promela.in_python import Unsaid
from asset.frontends.promela.loading import Loaded, load

__all__ = ["Loaded", "Unsaid", "load", "trails"]
