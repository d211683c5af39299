"""A run in a process of its own that dies at a chosen point, while its model and its site live on elsewhere.

Run as ``python -m tests.unit.app.runner.killed_run FOLDER SITE_URL MODEL_URL PLACE NUMBER ENGINE``.
"""

import sys
from pathlib import Path
from typing import Any, cast

from app.clock import SystemClock
from app.rehearsal.server import ScriptedModel
from app.rehearsal.site import DemoSite
from tests.unit.app.ledger.crash_run import Death, DyingLedger, Point, TrueLog, dying_driver
from tests.unit.app.runner.choosing import ChoosingDriver
from tests.unit.app.runner.choosing_model import choosing_scene
from tests.unit.app.runner.harness import SeenDriver, run_scenario
from tests.unit.app.runner.thinking_model import booking_scene


def main(folder: Path, site_url: str, model_url: str, point: Point | None, engine: str) -> None:
    """Run to the point, or to the end when it never comes."""
    death, log = Death(point), TrueLog(folder / "true.log")
    ledger = DyingLedger.create(folder / "run.signalbox", SystemClock())
    assert isinstance(ledger, DyingLedger)
    ledger.death, ledger.log = death, log
    elsewhere = cast(tuple[DemoSite, str, ScriptedModel, str], (cast(Any, None), site_url, cast(Any, None), model_url))
    scene, driver = (choosing_scene(), ChoosingDriver) if engine == "decisions" else (booking_scene(), SeenDriver)
    run_scenario(scene, folder, ledger=ledger, make_driver=dying_driver(death, log, driver), served=elsewhere)


if __name__ == "__main__":
    where, place, number = Path(sys.argv[1]), sys.argv[4], int(sys.argv[5])
    main(where, sys.argv[2], sys.argv[3], Point(place, number) if place != "never" else None, sys.argv[6])
