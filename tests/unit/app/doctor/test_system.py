"""Names of packages on the distributions that renamed some of them, and who may install."""

import pytest

from app.doctor.system import System, this_system


def machine(
    distribution: str, *version: int, is_root: bool = False, has_apt: bool = True, has_free_sudo: bool = False
) -> System:
    return System(distribution, version, is_root=is_root, has_apt=has_apt, has_free_sudo=has_free_sudo)


@pytest.mark.parametrize(
    ("system", "name"),
    [
        (machine("debian", 12), "libglib2.0-0"),
        (machine("debian", 13), "libglib2.0-0t64"),
        (machine("debian"), "libglib2.0-0t64"),
        (machine("ubuntu", 22, 4), "libglib2.0-0"),
        (machine("ubuntu", 24, 4), "libglib2.0-0t64"),
        (machine("linuxmint", 22), "libglib2.0-0"),
    ],
)
def test_a_renamed_package_has_the_name_of_its_release(system: System, name: str) -> None:
    assert system.package("libglib2.0-0") == name
    assert system.package("libegl1") == "libegl1"


def test_installing_needs_apt_and_a_right_to_use_it() -> None:
    assert machine("debian", 12, is_root=True).may_install
    assert machine("debian", 12, has_free_sudo=True).may_install
    assert not machine("debian", 12).may_install
    assert not machine("fedora", 42, is_root=True, has_apt=False).may_install


def test_this_machine_is_described() -> None:
    assert this_system().distribution
