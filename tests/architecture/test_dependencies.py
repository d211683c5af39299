"""What is imported is declared, what is declared is locked, and each locked file has a hash and no address."""

import re
import sys
import tomllib
from typing import Any

import pytest

from tests.architecture.source import PACKAGES, ROOT, imported_modules, source_files

DISTRIBUTION_OF = {
    "PIL": "pillow",
    "Xlib": "python-xlib",
    "PySide6": "pyside6-essentials",
    "shiboken6": "pyside6-essentials",
}
LOCKS = ("requirements.lock", "requirements-dev.lock")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def normal(requirement: str) -> str:
    """The distribution's name in a requirement, as indexes compare it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s<>=!~;\[]", requirement, maxsplit=1)[0]).lower()


def locked(lock: str) -> set[str]:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    return {normal(line) for line in lines if line and line[0] not in " #"}


def test_what_the_product_imports_is_declared() -> None:
    declared = {normal(one) for one in project()["project"]["dependencies"]}
    undeclared = [
        f"{file.at(node)} {name}"
        for file in source_files()
        for name, node in imported_modules(file)
        if (top := name.split(".")[0]) not in {*PACKAGES, *sys.stdlib_module_names}
        and normal(DISTRIBUTION_OF.get(top, top)) not in declared
    ]
    assert undeclared == []


def test_what_is_declared_is_locked() -> None:
    declared = project()
    needed = {normal(one) for one in declared["project"]["dependencies"] + declared["dependency-groups"]["build"]}
    assert needed - locked("requirements.lock") == set()
    needed |= {normal(one) for one in declared["dependency-groups"]["dev"] + declared["dependency-groups"]["frozen"]}
    assert needed - locked("requirements-dev.lock") == set()


@pytest.mark.parametrize("lock", [*LOCKS, "tests/conformance/pages.lock"])
def test_each_locked_file_has_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = [entry for entry in re.split(r"\n(?=\S)", text.strip()) if not entry.startswith("#")]
    assert entries
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text
    assert "index-url" not in text


def test_both_locks_agree() -> None:
    """A visitor runs what the tests ran with."""
    texts = [(ROOT / lock).read_text(encoding="utf-8") for lock in LOCKS]
    product, tests = (set(re.findall(r"^(\S+==\S+)", text, flags=re.MULTILINE)) for text in texts)
    assert product - tests == set()
