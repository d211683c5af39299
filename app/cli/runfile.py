"""Reads a run file: TOML checked against `core.plan.RunPlan`; every complaint names the file, the key and the line."""

import tomllib
from pathlib import Path

from pydantic import ValidationError

from app.core.errors import UsageProblem
from app.core.faults import faults_of, plan_of_values
from app.core.plan import RunPlan
from app.core.plan_toml import NOT_IN_A_FILE
from app.core.toml_place import key_path, line_of

MOST_BYTES = 16_000_000


def load_run_file(path: Path, *, without_broken_rules: bool = False) -> RunPlan:
    """The plan that `path` describes.

    `without_broken_rules`: where nothing but the rules is wrong, a plan without any; `broken_rules` then says why.

    Raises:
        UsageProblem: it cannot be read, is not TOML, or does not fit the schema.
    """
    return parse_run_file(read_run_file(path), source=str(path), without_broken_rules=without_broken_rules)


def read_run_file(path: Path) -> str:
    """What stands in the run file at `path`. Raises `UsageProblem`.

    No more is read than a run file can hold: the path may be of a device that never ends.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        # Some editors begin each file with a mark that says UTF-8.
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageProblem(f"the run file cannot be read ({reason}): {path}") from error
    if len(data) > MOST_BYTES:
        raise UsageProblem(f"the run file cannot be read (it is larger than {MOST_BYTES // 1_000_000} MB): {path}")
    # As Python's own text files do it: a line of the file is a line in the complaints.
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_run_file(text: str, *, source: str, without_broken_rules: bool = False) -> RunPlan:
    """The plan that `text` describes; `source` names it in complaints. Raises `UsageProblem`."""
    try:
        found = tomllib.loads(text)
        if internal := NOT_IN_A_FILE & found.keys():
            raise UsageProblem(f"{source}: {min(internal)}: there is no such key")
        return plan_of_values(found)
    except tomllib.TOMLDecodeError as error:
        raise UsageProblem(f"{source} is not TOML: {error}") from error
    except RecursionError as error:
        raise UsageProblem(f"{source} is nested too deeply") from error
    except ValidationError as error:
        complaint = "\n".join(_complaints(error, text=text, source=source))
        rules_only = all(fault.place[:1] == ("rules",) for fault in faults_of(error))
        if not (without_broken_rules and rules_only):
            raise UsageProblem(complaint) from error
        left = {key: value for key, value in found.items() if key != "rules"}
        # Whatever else is wrong came to light with the rules; only what a rule says was not understood.
        return plan_of_values({**left, "broken_rules": complaint})
    except (ValueError, TypeError) as error:
        raise UsageProblem(f"{source} holds a value that no key takes: {error}") from error


def _complaints(error: ValidationError, *, text: str, source: str) -> list[str]:
    lines = []
    for fault in faults_of(error):
        line = line_of(text, fault.place)
        where = f"{source}:{line}" if line else source
        lines.append(f"{where}: {key_path(fault.place)}: {fault.words}")
    return lines
