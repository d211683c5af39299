"""Where things lie: the order of the ways to name the data folder, and shipped files that never leave their package."""

import os
import sys
from pathlib import Path
from typing import NoReturn

import platformdirs
import pytest

from app import paths
from app.cli.window import settings_file
from app.core.errors import MissingHere, UsageProblem
from app.settings import load_settings
from drivers.browser.launch import find_browser


@pytest.mark.timeout(300)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name")
def test_a_pipe_in_a_small_file_s_place_is_named_and_not_waited_for(tmp_path: Path) -> None:
    for name, opened in (("settings.toml", load_settings), ("window.ini", settings_file)):
        assert paths.own_file(tmp_path, name) == tmp_path / name, "it need not be there"
        os.mkfifo(tmp_path / name)
        with pytest.raises(UsageProblem, match=f"^not a file: .*{name}$"):
            opened(tmp_path)


def test_an_explicit_home_wins_over_the_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "from-variable"))
    assert paths.data_folder(tmp_path / "given") == tmp_path / "given"
    assert paths.data_folder() == tmp_path / "from-variable"


def test_without_either_the_systems_place_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(paths.HOME_VARIABLE)
    assert paths.data_folder() == platformdirs.user_data_path("signalbox", appauthor=False)


@pytest.mark.skipif(sys.platform == "win32", reason="there the system names the folder")
def test_a_user_without_a_home_is_asked_for_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import pwd

    def unknown(number: int) -> NoReturn:
        raise KeyError(number)

    for name in (paths.HOME_VARIABLE, "HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(MissingHere, match=paths.HOME_VARIABLE):
        paths.data_folder()
    assert paths.data_folder(tmp_path) == tmp_path
    # Looking for a browser needs none either.
    find_browser()


def test_a_home_of_nobody_is_a_folder_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths.data_folder(Path("~nobody-at-all/x")) == tmp_path / "~nobody-at-all" / "x"


def test_a_relative_home_does_not_move_with_the_current_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    found = paths.data_folder(Path("here"))
    monkeypatch.chdir("/")
    assert found == tmp_path / "here"


def test_asking_where_things_lie_creates_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert paths.runs_folder(home) == home / "runs"
    assert paths.log_file(home).is_relative_to(home)
    assert not home.exists()


def test_a_shipped_file_is_read() -> None:
    assert paths.resource_text("__init__.py").startswith('"""')
    assert paths.resource_bytes("__init__.py").startswith(b'"""')


@pytest.mark.parametrize("name", ["", "../app/main.py", "a//b", "/etc/passwd", "./x", "a\\..\\b"])
def test_a_name_that_leaves_the_package_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a name of a shipped file"):
        paths.resource(name)


def test_what_is_not_shipped_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"resources/site/nowhere\.html"):
        paths.resource("site/nowhere.html")
