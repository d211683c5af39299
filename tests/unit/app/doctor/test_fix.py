"""The lines that install, as root, through sudo, and for people to paste."""

from app.doctor.finding import Finding, State
from app.doctor.fix import command_lines, line_for_people, packages_of
from tests.unit.app.doctor.test_system import machine


def finding(*packages: str) -> Finding:
    return Finding(what="Qt", state=State.MISSING, says="It does not load.", packages=packages)


def test_packages_are_gathered_once_under_the_releases_names() -> None:
    findings = [finding("libegl1", "libglib2.0-0"), finding("libegl1")]
    assert packages_of(findings, machine("debian", 13)) == ["libegl1", "libglib2.0-0t64"]


def test_root_needs_no_sudo_and_nobody_is_asked_anything() -> None:
    update, install = command_lines(["libegl1"], with_sudo=False)
    assert update[:2] == ["apt-get", "update"]
    assert install[:2] == ["apt-get", "install"]
    assert "-y" in install
    assert install[-1] == "libegl1"


def test_the_line_for_people_stops_at_the_first_failure() -> None:
    line = line_for_people(["libegl1", "libgl1"])
    assert line.startswith("sudo apt-get update")
    assert " && sudo apt-get install " in line
    assert line.endswith(" libegl1 libgl1")
