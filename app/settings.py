"""What a person has set for this machine: one small file in the data folder, checked as a whole."""

import tomllib
from pathlib import Path

from pydantic import ValidationError

from app.core.errors import UsageProblem
from app.core.retention import Retention
from app.core.value import Frozen
from app.paths import own_file
from app.whole_file import written_whole

FILE_NAME = "settings.toml"


class SealingSettings(Frozen):
    """Whether the end of each run is sealed with the key in the system's key store."""

    runs: bool = False


class Settings(Frozen):
    """All settings; what is not in the file is as here."""

    retention: Retention = Retention()
    sealing: SealingSettings = SealingSettings()


def load_settings(home: Path | None = None) -> Settings:
    """The settings of the data folder. Raises `UsageProblem` when the file is wrong; names it and the key."""
    path = own_file(home, FILE_NAME)
    try:
        return Settings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise UsageProblem(f"the settings cannot be read ({error.strerror}): {path}") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageProblem(f"{path}: {place}: {first['msg']}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageProblem(f"{path} is not TOML: {error}") from error


def save_settings(settings: Settings, home: Path | None = None) -> None:
    """Write them down as a whole. Raises `UsageProblem`."""
    path = own_file(home, FILE_NAME)
    lines: list[str] = []
    for table, values in settings.model_dump(mode="json", exclude_none=True).items():
        lines.append(f"[{table}]")
        # Only whole numbers and yes or no: both are written in TOML as they are in JSON.
        lines += [f"{key} = {str(value).lower()}" for key, value in values.items()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path, prefix=f".{FILE_NAME}-") as opened:
            opened.write(("\n".join(lines) + "\n").encode())
    except OSError as error:
        raise UsageProblem(f"the settings cannot be written ({error.strerror}): {path}") from error
