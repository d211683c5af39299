"""What holds for every test: offscreen, no outside network, nobody's own data, silence, and nothing left behind."""

import os
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.helpers.leftovers import Leftovers, watch_abandoned_tasks
from tests.helpers.log_watch import LogWatch
from tests.helpers.threat_rows import pass_table

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for proxy_variable in ("NO_PROXY", "no_proxy"):
    os.environ[proxy_variable] = "127.0.0.1,localhost,::1"
for foreign in [name for name in os.environ if name.startswith(("OPENAI_", "SIGNALBOX_"))]:
    del os.environ[foreign]

settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

TABLE_LINE = "table line"
"""What a test hands over to `record_property` under this name is printed at the end of the test run."""

EXIT_CODE = pytest.StashKey[int]()


@pytest.fixture(scope="session", autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing that a test starts reads or writes the data folder of whoever runs the tests."""
    os.environ["SIGNALBOX_HOME"] = str(tmp_path_factory.mktemp("home"))
    yield
    del os.environ["SIGNALBOX_HOME"]


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> "QtBot":
    """The one of pytest-qt, with patience."""
    from tests.helpers.patient_bot import PatientBot

    return PatientBot(request)


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    """Fails a test that leaves a task, thread, top-level widget, browser or node process behind, and names it."""
    before = Leftovers.now()
    with watch_abandoned_tasks() as abandoned:
        yield
    left = [*abandoned, *before.since()]
    if left:
        pytest.fail("left behind by this test:\n  " + "\n  ".join(left), pytrace=False)


@pytest.fixture(autouse=True)
def expected_log() -> Iterator[LogWatch]:
    """Fails a test on a log record of WARNING or above; `expected_log("pattern")` asks for one that must come."""
    watch = LogWatch()
    with watch:
        yield watch
    if complaint := watch.complaint():
        pytest.fail(complaint, pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many of the given threat rows were tried and passed, and the tables that single tests hand over."""
    outcomes: dict[str, set[str]] = {}
    tables: list[str] = []
    for outcome in ("passed", "failed", "error", "skipped", "xfailed", "xpassed"):
        for report in terminalreporter.stats.get(outcome, []):
            outcomes.setdefault(report.nodeid.partition("[")[0], set()).add(outcome)
            tables += [str(line) for name, line in getattr(report, "user_properties", ()) if name == TABLE_LINE]
    for line in [*pass_table(outcomes), *tables]:
        terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[EXIT_CODE] = int(exitstatus)


def pytest_unconfigure(config: pytest.Config) -> None:
    """A thread that a failed test left running would keep this process, and whoever waits for it, for ever."""
    left = [one for one in threading.enumerate() if not one.daemon and one is not threading.main_thread()]
    if not left or EXIT_CODE not in config.stash:
        return
    sys.stderr.write(f"Ending with threads left behind: {', '.join(one.name for one in left)}\n")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(config.stash[EXIT_CODE] or int(pytest.ExitCode.TESTS_FAILED))
