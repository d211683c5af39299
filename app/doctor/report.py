"""Puts findings into lines for people."""

from collections.abc import Sequence
from textwrap import wrap

from app.doctor.finding import Finding, State
from app.doctor.fix import line_for_people, packages_of
from app.doctor.system import System

WIDTH = 100
INDENT = " " * 22


def lines(findings: Sequence[Finding]) -> list[str]:
    """One row a finding, and below each that is not OK how to get it."""
    shown = []
    for finding in findings:
        start = f"{finding.state:<8} {finding.what:<12} "
        shown += _folded(start + finding.says)
        if finding.state is not State.OK and finding.get:
            shown += _folded(INDENT + finding.get)
    return shown


def closing_lines(findings: Sequence[Finding], system: System, *, fixed: bool) -> list[str]:
    """What to do next; `fixed` says whether a fix has been tried already."""
    missing = [finding for finding in findings if finding.state is State.MISSING]
    packages = packages_of(findings, system)
    shown = []
    if packages and system.has_apt:
        if not fixed and system.may_install:
            shown.append("signalbox doctor --fix installs what is missing, or this line does:")
        else:
            shown.append("This line installs what is missing; whoever administers this machine can run it:")
        shown.append(f"  {line_for_people(packages)}")
    if not missing:
        return [*shown, "All that is needed is here."]
    return [*shown, f"Missing: {', '.join(finding.what for finding in missing)}."]


def _folded(text: str) -> list[str]:
    """Lines of at most WIDTH, but for a path or a package that is longer by itself."""
    return wrap(text, WIDTH, subsequent_indent=INDENT, break_long_words=False, break_on_hyphens=False)
