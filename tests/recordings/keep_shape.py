"""``python -m tests.recordings.keep_shape`` writes down what events of the present format look like, once for a format.

The recording itself, ``format-N.signalbox``, is a demo run that a person has denied one question of.
"""

import json
from pathlib import Path
from typing import Any

from app.core.events import EVENT
from app.ledger.schema import FORMAT, TABLES

FOLDER = Path(__file__).parent
WORDS = {"description", "title", "default", "examples", "discriminator"}
"""Of a JSON schema: nothing that decides whether an event can be read."""


def shape_file(number: int) -> Path:
    """Where the shape of format `number` is kept."""
    return FOLDER / f"format-{number}.shape.json"


def shape() -> dict[str, Any]:
    """The tables, and every kind of event with its fields."""
    return {"tables": TABLES, "events": _bare(EVENT.json_schema(mode="validation")["$defs"])}


def _bare(value: Any, *, names: bool = True) -> Any:
    """`value` without what is only words; `names`: its keys are names of fields or definitions, which stay."""
    if isinstance(value, list):
        return [_bare(item, names=False) for item in value]
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if names or key not in WORDS}
        return {key: _bare(item, names=key == "properties" and not names) for key, item in kept.items()}
    return value


if __name__ == "__main__":
    shape_file(FORMAT).write_text(json.dumps(shape(), indent=1, sort_keys=True) + "\n", encoding="ascii")
