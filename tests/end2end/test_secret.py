"""``signalbox secret``: what is asked for goes into the key store of the machine, for one place, and nowhere else."""

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end2end.program import LIMIT_SECS, Ran, environment
from tests.helpers.key_store import CannotStart, key_store, missing

ROOT = Path(__file__).parents[2]
WORK, PLACE = ("work", "wss://browsers.example/session"), "browsers.example:443"
ASKED = "import sys; from app.keystore import secret_for; print(secret_for(*sys.argv[1:]))"
NO_STORE = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


def secret(*arguments: str, home: Path, typed: str = "", **more: str) -> Ran:
    """Run ``signalbox secret ARGUMENTS`` where no terminal is, so that a line of its input is what a person types."""
    return _ran("-m", "app", "secret", *arguments, home=home, typed=typed, **more)


def _ran(*command: str, home: Path, typed: str = "", **more: str) -> Ran:
    done = subprocess.run(
        [sys.executable, *command],
        env=environment(home, **more),
        cwd=ROOT,
        input=f"{typed}\n",
        capture_output=True,
        text=True,
        timeout=LIMIT_SECS,
        start_new_session=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.timeout(900)
def test_it_is_kept_for_its_place_shown_nowhere_and_forgotten_on_wish(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with contextlib.ExitStack() as ending:
        try:
            store = ending.enter_context(key_store(tmp_path / "store"))
        except (OSError, CannotStart) as reason:
            pytest.skip(f"no key store can be started here: {reason}")
        kept = secret(*WORK, home=home, typed="open sesame", **store)
        assert (kept.code, kept.out.splitlines()[-1]) == (0, f"Kept: work for {PLACE}"), kept.err
        assert f"Secret for {PLACE}" in kept.out + kept.err
        assert "sesame" not in kept.out + kept.err
        assert _ran("-c", ASKED, "work", PLACE, home=home, **store).out == "open sesame\n"
        assert "holds no secret" in _ran("-c", ASKED, "work", "other.example:443", home=home, **store).err
        files = [one for one in tmp_path.rglob("*") if one.is_file()]
        assert [one for one in files if b"open sesame" in one.read_bytes()] == []
        gone = secret(*WORK, "--remove", home=home, **store)
        assert (gone.code, gone.out) == (0, f"Forgotten: work for {PLACE}\n"), gone.err
        assert secret(*WORK, "--remove", home=home, **store).code == 3
        empty = secret(*WORK, home=home, **store)
        assert (empty.code, "an empty secret is none: nothing was kept" in empty.err) == (2, True), empty.err


@pytest.mark.parametrize(
    ("arguments", "typed", "code", "words"),
    [
        (("work", "ftp://browsers.example"), "x", 2, "The address has to begin with"),
        (("work", "wss://me:sesame@browsers.example"), "x", 2, "must hold no name, password or token"),
        (WORK, "open sesame", 3, "no system key store"),
    ],
)
def test_what_cannot_be_kept_is_said(
    tmp_path: Path, arguments: tuple[str, ...], typed: str, code: int, words: str
) -> None:
    said = secret(*arguments, home=tmp_path, typed=typed, **NO_STORE)
    assert (said.code, words in said.err) == (code, True), said.err
    assert "sesame" not in said.out + said.err
    if "key store" in words:
        assert "Secret for" not in said.out + said.err
