"""Watches the log of one test: each record from WARNING up must have been expected, and each expected one must come."""

import logging
import re
from types import TracebackType


class LogWatch(logging.Handler):
    """Holds every record of WARNING or above that reached the root logger while it was entered."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []
        self._expected: list[re.Pattern[str]] = []

    def __call__(self, pattern: str) -> None:
        """Expect at least one record whose `logger: message` matches `pattern`; any number of them is then fine."""
        self._expected.append(re.compile(pattern))

    def __enter__(self) -> "LogWatch":
        logging.getLogger().addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        logging.getLogger().removeHandler(self)

    def complaint(self) -> str:
        """What was logged and not expected, and what was expected and not logged; empty if all is as it should be."""
        texts = [f"{record.name}: {record.getMessage()}" for record in self.records]
        unexpected = [text for text in texts if not any(one.search(text) for one in self._expected)]
        absent = [one.pattern for one in self._expected if not any(one.search(text) for text in texts)]
        lines = [f"logged and not expected: {text}" for text in unexpected]
        return "\n".join(lines + [f"expected and not logged: {pattern}" for pattern in absent])

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
