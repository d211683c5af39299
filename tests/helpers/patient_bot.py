"""pytest-qt's bot with patience for a machine that is slow or shared: what comes ends the wait, whenever it comes."""

from typing import Any

from pytestqt.qtbot import QtBot

PATIENCE_MS = 60_000


class PatientBot(QtBot):
    """Waits as long as that where a test does not say how long."""

    def waitUntil(self, callback: Any, *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **others: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **others)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **others: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **others)

    def waitActive(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitActive(widget, timeout=timeout)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)
