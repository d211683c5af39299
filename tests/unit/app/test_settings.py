"""The settings file: everything off without one, kept as a whole, and wrong ones named."""

from pathlib import Path

import pytest

from app.core.errors import UsageProblem
from app.core.retention import Retention
from app.settings import SealingSettings, Settings, load_settings, save_settings


def test_without_a_file_everything_is_kept_and_nothing_sealed(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()
    assert load_settings(tmp_path).retention.off
    assert not load_settings(tmp_path).sealing.runs


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(retention=Retention(older_than_days=30), sealing=SealingSettings(runs=True)),
        Settings(retention=Retention(older_than_days=1, above_total_mb=5000)),
    ],
)
def test_what_is_saved_comes_back(tmp_path: Path, settings: Settings) -> None:
    save_settings(settings, tmp_path / "home")
    assert load_settings(tmp_path / "home") == settings
    assert [one.name for one in (tmp_path / "home").iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[retention]\nolder_than_days = 0", "retention.older_than_days"),
        ("[retension]\nolder_than_days = 3", "retension"),
        ("nonsense", "not TOML"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(UsageProblem, match=words):
        load_settings(tmp_path)
