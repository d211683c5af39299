"""The whole visit: look, fix if asked, look again, report."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from app.doctor import report
from app.doctor.checks import examine
from app.doctor.finding import Finding, State
from app.doctor.fix import Say, download_browser, install_packages, packages_of
from app.doctor.probes import QUESTION_VARIABLE, reply
from app.doctor.system import System, this_system

ALL_IS_HERE = 0
SOMETHING_IS_MISSING = 3


def run_doctor(fix: bool, home: Path) -> int:
    """Print what this machine has and lacks; with `fix`, get what can be got first.

    Returns:
        The command's exit code: 0 if all that is needed is here, 3 if not.
    """
    if question := os.environ.get(QUESTION_VARIABLE):
        reply(question)
        return ALL_IS_HERE
    system = this_system()
    findings = examine(system, home)
    if fix:
        findings = _fix(system, home, findings)
    for line in [*report.lines(findings), *report.closing_lines(findings, system, fixed=fix)]:
        click.echo(line)
    missing = any(finding.state is State.MISSING for finding in findings)
    return SOMETHING_IS_MISSING if missing else ALL_IS_HERE


def _fix(system: System, home: Path, findings: list[Finding]) -> list[Finding]:
    say = partial(click.echo, err=True)
    # What Playwright itself lacks comes first: without it no download starts. A browser from a package comes last.
    tried: set[str] = set()
    findings = _install(system, home, findings, lambda finding: not finding.wants_browser, tried, say)
    if any(finding.wants_browser for finding in findings) and download_browser(say):
        findings = examine(system, home)
    return _install(system, home, findings, lambda finding: True, tried, say)


def _install(
    system: System,
    home: Path,
    findings: list[Finding],
    chosen: Callable[[Finding], bool],
    tried: set[str],
    say: Say,
) -> list[Finding]:
    """Install the packages of the `chosen` findings, and of what then comes to light, each once; look again."""
    while system.may_install:
        wanted = packages_of(filter(chosen, findings), system)
        packages = [name for name in wanted if name not in tried]
        tried.update(packages)
        if not packages or not install_packages(packages, system, say):
            break
        findings = examine(system, home)
    return findings
