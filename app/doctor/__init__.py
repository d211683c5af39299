"""The one place that knows what Signalbox needs of a machine, what of it is missing, and how to get it.

It loads neither Qt nor Playwright into its own process, so it works where they cannot be loaded.
"""

from app.doctor.run import run_doctor

__all__ = ["run_doctor"]
