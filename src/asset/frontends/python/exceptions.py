"""Which model error an exception is, raised by Python itself or by the model."""

from __future__ import annotations

from asset.frontends.python.patience import Endless
from asset.ir.faults import FaultKind
from asset.model import OutOfRange

_KINDS: tuple[tuple[type[BaseException], FaultKind], ...] = (
    (Endless, FaultKind.LOOP),
    (OutOfRange, FaultKind.RANGE),
    (IndexError, FaultKind.INDEX),
    (ZeroDivisionError, FaultKind.DIVISION),
    (AssertionError, FaultKind.ASSERTION),
)


def kind_of(raised: type[BaseException]) -> FaultKind:
    return next((kind for cls, kind in _KINDS if issubclass(raised, cls)), FaultKind.RAISE)
