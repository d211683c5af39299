"""One line of the benchmark table, how samples become one number, and how a benchmark hands its lines over."""

import json
import math
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

WITHIN, OVER, NO_GOAL = "ok", "over", ""


@dataclass(frozen=True)
class Row:
    """One measure: the floor, what the product takes, and the goal as a ratio of the two."""

    measure: str
    floor: float
    product: float
    goal: float | None
    """The largest ratio that is wanted; None: for information only."""
    count: int
    """Samples on each side."""
    unit: str = "ms"
    allowance: float = 0.0
    """Added to what the goal allows, in the row's unit: work that the floor has no counterpart of."""

    @property
    def ratio(self) -> float:
        """How many times the floor the product takes, beyond its allowance."""
        return max(0.0, self.product - self.allowance) / self.floor if self.floor else 0.0

    @property
    def verdict(self) -> str:
        """Whether the goal is met."""
        if self.goal is None:
            return NO_GOAL
        return WITHIN if self.ratio <= self.goal else OVER


@dataclass(frozen=True)
class Fact:
    """Something that was seen while measuring and that no ratio says."""

    words: str


Line = Row | Fact


def median(samples: Sequence[float]) -> float:
    """The middle sample. Raises `ValueError` when there is none: nothing was measured then."""
    if not samples:
        raise ValueError("nothing was measured")
    return statistics.median(samples)


def share(samples: Sequence[float], percent: float) -> float:
    """The smallest sample that at least `percent` of all do not exceed. Raises `ValueError` when there is none."""
    if not samples:
        raise ValueError("nothing was measured")
    return sorted(samples)[max(0, math.ceil(len(samples) * percent / 100) - 1)]


def longest(samples: Iterable[float], count: int = 10) -> float:
    """The median of the `count` longest samples: what "the longest" is, without one accident of the machine."""
    return median(sorted(samples, reverse=True)[:count])


def hand_over(measure: Callable[[], list[Line]]) -> None:
    """Measure, and print the lines as JSON for the process that prints the table."""
    for line in measure():
        print(json.dumps({type(line).__name__: asdict(line)}), flush=True)


def taken_over(output: str) -> list[Line]:
    """The lines that `hand_over` printed. Raises `ValueError` for anything else."""
    kinds: dict[str, Callable[..., Line]] = {"Row": Row, "Fact": Fact}
    lines: list[Line] = []
    for text in output.splitlines():
        if not text.startswith("{"):
            print(text, file=sys.stderr)
            continue
        ((kind, fields),) = json.loads(text).items()
        lines.append(kinds[kind](**fields))
    return lines


def table(lines: Sequence[Line]) -> str:
    """The table as text: one row a measure, the facts below it."""
    head = ("measure", "floor", "product", "ratio", "goal", "", "n")
    body = [
        (
            row.measure,
            _number(row.floor, row.unit),
            _number(row.product, row.unit),
            f"{row.ratio:.2f}",
            _goal(row),
            row.verdict,
            str(row.count) if row.count else "",
        )
        for row in lines
        if isinstance(row, Row)
    ]
    widths = [max(len(cells[column]) for cells in [head, *body]) for column in range(len(head))]
    rows = [
        "  ".join(_cell(cell, width, at) for at, (cell, width) in enumerate(zip(cells, widths, strict=True)))
        for cells in [head, *body]
    ]
    rows.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([row.rstrip() for row in rows] + [f"  {line.words}" for line in lines if isinstance(line, Fact)])


def _cell(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column == 0 else cell.rjust(width)


def _number(value: float, unit: str) -> str:
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2
    return f"{value:.{digits}f} {unit}"


def _goal(row: Row) -> str:
    if row.goal is None:
        return "-"
    return f"<= {row.goal:g}" + (f" + {_number(row.allowance, row.unit)}" if row.allowance else "")
