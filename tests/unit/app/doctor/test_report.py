"""What people read at the end of the doctor's visit."""

from app.doctor.finding import Finding, State
from app.doctor.report import WIDTH, closing_lines, lines
from tests.unit.app.doctor.test_system import machine

OK = Finding(what="Python", state=State.OK, says="3.11.2", get="never shown")
NOTE = Finding(what="Fonts", state=State.NOTE, says="No emoji.", get="Install fonts.", packages=("fonts-x",))
MISSING = Finding(what="Qt", state=State.MISSING, says="It does not load. " * 9, get="Get it.", packages=("libegl1",))


def test_each_finding_has_a_row_and_only_what_is_not_ok_has_advice() -> None:
    text = "\n".join(lines([OK, NOTE, MISSING]))
    assert "never shown" not in text
    assert text.index("Python") < text.index("Fonts") < text.index("Install fonts.") < text.index("Get it.")


def test_long_rows_are_folded() -> None:
    assert max(len(line) for line in lines([MISSING])) <= WIDTH


def test_who_can_fix_is_told_of_fix() -> None:
    text = "\n".join(closing_lines([MISSING], machine("debian", 12, is_root=True), fixed=False))
    assert "signalbox doctor --fix" in text
    assert text.endswith("Missing: Qt.")


def test_who_cannot_gets_the_exact_line() -> None:
    text = "\n".join(closing_lines([NOTE, MISSING], machine("debian", 12), fixed=True))
    assert "sudo apt-get install -q -y --no-install-recommends fonts-x libegl1" in text
    assert "--fix" not in text


def test_a_note_alone_leaves_all_that_is_needed() -> None:
    assert closing_lines([NOTE], machine("fedora", has_apt=False), fixed=False) == ["All that is needed is here."]
