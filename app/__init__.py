"""Signalbox: a desktop console in which a person clears every step of a computer-use run before it happens."""

__version__ = "0.1.0"
